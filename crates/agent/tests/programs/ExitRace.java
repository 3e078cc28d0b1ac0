// exit 3
// snapshot failing java.lang.IllegalStateException
//   0 ExitRace.fail("now")
//   0 ExitRace.run(this=ExitRace)
import java.util.concurrent.CountDownLatch;

public class ExitRace implements Runnable {
    static final CountDownLatch FAILING = new CountDownLatch(1);

    static void fail(String why) {
        FAILING.countDown();
        if (FAILING.getCount() == 0) {
            throw new IllegalStateException(why);
        }
    }

    @Override
    public void run() {
        fail("now");
        System.out.println("never");
    }

    public static void main(String[] args) throws Exception {
        Thread thread = new Thread(new ExitRace(), "failing");
        thread.setUncaughtExceptionHandler((t, e) -> System.exit(3));
        thread.start();
        thread.join();
    }
}
