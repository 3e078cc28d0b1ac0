// exit 0
// snapshot first java.lang.IllegalStateException
//   0 TwoFailures.fail(1)
//   0 TwoFailures.run(this=TwoFailures)
// snapshot second java.lang.IllegalArgumentException
//   0 TwoFailures.fail(2)
//   0 TwoFailures.run(this=TwoFailures)
public class TwoFailures implements Runnable {
    private final int number;

    TwoFailures(int number) {
        this.number = number;
    }

    static void fail(int number) {
        String message = "number " + number;
        throw number == 1 ? new IllegalStateException(message) : new IllegalArgumentException(message);
    }

    @Override
    public void run() {
        System.out.println("running " + number);
        fail(number);
    }

    static void inThread(String name, int number) throws Exception {
        Thread thread = new Thread(new TwoFailures(number), name);
        thread.start();
        thread.join();
    }

    public static void main(String[] args) throws Exception {
        inThread("first", 1);
        inThread("second", 2);
        // The same failures again: not worth a second snapshot.
        inThread("third", 1);
        inThread("fourth", 2);
    }
}
