// exit 0
// snapshot handled java.lang.IllegalArgumentException
//   0 OwnHandler.check("x", 1)
//   0 OwnHandler.run(this=OwnHandler)
public class OwnHandler implements Runnable, Thread.UncaughtExceptionHandler {
    static void check(String what, int number) {
        if (what.length() == number) {
            throw new IllegalArgumentException(what);
        }
        System.out.println("fine");
    }

    @Override
    public void run() {
        check("abc", 1);
        check("x", 1);
    }

    @Override
    public void uncaughtException(Thread thread, Throwable t) {
        System.out.println("handler of " + thread.getName() + " sees " + t.getMessage());
    }

    public static void main(String[] args) throws Exception {
        Thread thread = new Thread(new OwnHandler(), "handled");
        thread.setUncaughtExceptionHandler(new OwnHandler());
        thread.start();
        thread.join();
    }
}
