// exit 0
// snapshot worker java.lang.IllegalStateException
//   0 HandedOn.work("one")
//   0 HandedOn.task("one")
//   0 HandedOn.run -
public class HandedOn {
    static void work(String text) {
        int length = text.length();
        throw new IllegalStateException(text + length);
    }

    static void task(String text) {
        work(text.trim());
        System.out.println("never");
    }

    /** As libraries do that run tasks: the thread goes on, its handler is told. */
    static void run() {
        try {
            task("one");
        } catch (IllegalStateException e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(HandedOn::run, "worker");
        worker.start();
        worker.join();
    }
}
