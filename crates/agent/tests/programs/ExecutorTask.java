// exit 1
// snapshot main java.util.concurrent.ExecutionException <- java.lang.ArrayIndexOutOfBoundsException
//   1 ExecutorTask.compute([I, 4)
//   1 ExecutorTask.call(this=ExecutorTask)
//   1 ExecutorTask.call -
//   0 ExecutorTask.main([Ljava.lang.String;)
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

public class ExecutorTask implements Callable<Integer> {
    static int compute(int[] numbers, int index) {
        int first = numbers[0];
        return first + numbers[index];
    }

    @Override
    public Integer call() {
        int sum = compute(new int[] {1, 2, 3}, 1);
        return sum + compute(new int[] {1, 2, 3}, 4);
    }

    public static void main(String[] args) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(1);
        Future<Integer> future = executor.submit(new ExecutorTask());
        executor.shutdown();
        // The thread that failed is gone when its exception is asked for.
        executor.awaitTermination(1, TimeUnit.MINUTES);
        System.out.println(future.get());
    }
}
