// exit 0
// since 21
// snapshot  java.lang.ArithmeticException
//   0 Shop.average([I, "nobody")
//   0 Shop.bill("nobody")
//   0 VirtualExecutor.lambda$main$0()
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** By reflection, because the other programs run in older JDKs, too. */
public class VirtualExecutor {
    public static void main(String[] args) throws Exception {
        ExecutorService executor = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        Callable<Integer> task = () -> Shop.bill("nobody");
        executor.submit(task);
        executor.shutdown();
        executor.awaitTermination(1, TimeUnit.MINUTES);
        System.out.println("goes on");
    }
}
