// exit 0
// snapshot worker java.lang.ArithmeticException
//   0 Shop.average([I, "nobody")
//   0 Shop.bill("nobody")
//   0 Completable.lambda$main$1()
// snapshot worker java.lang.IllegalStateException
//   0 Shop.stock("somebody")
//   0 Completable.lambda$main$5()
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class Completable {
    public static void main(String[] args) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(1, task -> new Thread(task, "worker"));
        int paid = CompletableFuture.supplyAsync(() -> Shop.bill("nobody"), executor)
                .thenApply(bill -> bill + 1)
                .exceptionally(e -> -1)
                .get();
        CompletableFuture.runAsync(() -> { }, executor).thenRunAsync(() -> Shop.stock("somebody"), executor)
                .handle((nothing, e) -> nothing)
                .get();
        CompletableFuture<String> cancelled = new CompletableFuture<>();
        cancelled.cancel(true);
        executor.shutdown();
        System.out.println("goes on after " + paid);
    }
}
