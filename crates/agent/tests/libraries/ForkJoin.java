// exit 0
// snapshot ForkJoinPool-1-worker-1 java.lang.ArithmeticException
//   0 Shop.average([I, "nobody")
//   0 Shop.bill("nobody")
//   0 ForkJoin$Task.compute(this=ForkJoin$Task)
//   0 ForkJoin$Task.compute -
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.TimeUnit;

public class ForkJoin {
    static class Task extends RecursiveTask<Integer> {
        private final String customer;

        Task(String customer) {
            this.customer = customer;
        }

        @Override
        protected Integer compute() {
            String trimmed = customer.trim();
            return Shop.bill(trimmed) + trimmed.length();
        }
    }

    public static void main(String[] args) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(1);
        pool.submit(new Task("nobody"));
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
        System.out.println("goes on");
    }
}
