// exit 0
import java.util.ConcurrentModificationException;
import java.util.EmptyStackException;
import java.util.InputMismatchException;
import java.util.NoSuchElementException;

/** More failures of different types in a moment than are captured. */
public class TooMany {
    static int fail(RuntimeException failure, int number) {
        int next = number + 1;
        if (next > 0) {
            throw failure;
        }
        return next;
    }

    public static void main(String[] args) {
        RuntimeException[] failures = {
            new IllegalStateException(), new IllegalArgumentException(), new ArithmeticException(),
            new NullPointerException(), new IndexOutOfBoundsException(), new UnsupportedOperationException(),
            new NumberFormatException(), new ClassCastException(), new ArrayStoreException(),
            new NegativeArraySizeException(), new ConcurrentModificationException(), new NoSuchElementException(),
            new InputMismatchException(), new EmptyStackException(),
        };
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < failures.length; i++) {
                try {
                    fail(failures[i], i);
                } catch (RuntimeException e) {
                    e.printStackTrace();
                }
            }
        }
    }
}
