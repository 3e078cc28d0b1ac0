// exit 0
// snapshot pool-1-thread-1 java.lang.ArithmeticException
//   0 Shop.average([I, "nobody")
//   0 Shop.bill("nobody")
//   0 Executor.lambda$main$0()
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Nobody asks the futures what became of them. */
public class Executor {
    public static void main(String[] args) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(1);
        executor.submit(() -> Shop.bill("nobody"));
        // The result of a task that could not do its work, as it says in its signature.
        executor.submit(() -> Shop.find("somebody"));
        executor.shutdown();
        executor.awaitTermination(1, TimeUnit.MINUTES);
        System.out.println("goes on");
    }
}
