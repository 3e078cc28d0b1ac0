// exit 0
// snapshot pool-1-thread-1 java.lang.ArithmeticException
//   0 Shop.average([I, "nobody")
//   0 Shop.bill("nobody")
//   0 Scheduled.lambda$main$0()
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** The classic: a periodic task that silently never runs again. */
public class Scheduled {
    public static void main(String[] args) throws Exception {
        ScheduledExecutorService executor = Executors.newScheduledThreadPool(1);
        ScheduledFuture<?> future =
                executor.scheduleAtFixedRate(() -> Shop.bill("nobody"), 0, 1, TimeUnit.MILLISECONDS);
        while (!future.isDone()) {
            Thread.sleep(5);
        }
        executor.shutdown();
        executor.awaitTermination(1, TimeUnit.MINUTES);
        System.out.println("goes on");
    }
}
