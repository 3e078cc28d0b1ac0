import java.util.concurrent.CountDownLatch;

/** The second thread is inside `run` and `pause` when the first one fails: they end as the code they began as. */
public class Waiting implements Runnable {
    static final CountDownLatch go = new CountDownLatch(1);
    final boolean waits;

    Waiting(boolean waits) {
        this.waits = waits;
    }

    public void run() {
        pause();
        index(3);
    }

    void pause() {
        try {
            if (waits) {
                go.await();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    int index(int at) {
        int[] numbers = {1, 2};
        return numbers[at] + numbers.length;
    }

    public static void main(String[] args) throws Exception {
        Thread second = new Thread(new Waiting(true));
        second.start();
        while (second.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        Thread first = new Thread(new Waiting(false));
        first.start();
        first.join();
        go.countDown();
        second.join();
    }
}
