// exit 3
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The program ends at the very moment a failure with a large graph is being captured. */
public class ExitWhileCapturing extends Thread {
    static final CountDownLatch FAILING = new CountDownLatch(1);
    final List<Object> graph = new ArrayList<>();

    int fail(String why) {
        for (int i = 0; i < 300_000; i++) {
            graph.add(new Object[] {i, why + i});
        }
        FAILING.countDown();
        throw new IllegalStateException(why);
    }

    @Override
    public void run() {
        int sum = fail("now") + fail("later");
        System.out.println(sum + "never");
    }

    public static void main(String[] args) throws Exception {
        Thread thread = new ExitWhileCapturing();
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((t, e) -> {});
        thread.start();
        FAILING.await();
        Thread.sleep(20);
        System.exit(3);
    }
}
