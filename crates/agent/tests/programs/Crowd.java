// exit 0
// crowd 8
/** Many threads fail at the same moment, each in its own way. */
public class Crowd implements Runnable {
    private final int number;

    Crowd(int number) {
        this.number = number;
    }

    static void fail(int number) {
        String text = "number " + number;
        switch (number) {
            case 0: throw new IllegalStateException(text);
            case 1: throw new IllegalArgumentException(text);
            case 2: throw new IndexOutOfBoundsException(text);
            case 3: throw new UnsupportedOperationException(text);
            case 4: throw new ArithmeticException(text);
            case 5: throw new ClassCastException(text);
            case 6: throw new NegativeArraySizeException(text);
            default: throw new NumberFormatException(text);
        }
    }

    @Override
    public void run() {
        String text = "thread " + number;
        fail(number);
        System.out.println(text);
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(new Crowd(i));
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("end");
    }
}
