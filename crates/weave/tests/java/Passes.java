import java.util.function.Supplier;

/** What passes of a test count in here. Each {@code // tally:} comment says entered, left, thrown out of, and calls made. */
public class Passes {
    final int size;

    // tally: <init> 5 4 1 7
    Passes(int size) {
        if (size < 0) {
            throw new IllegalArgumentException(String.valueOf(size));
        }
        this.size = size;
    }

    // tally: chosen 4 3 1 4
    static Passes chosen(int size) {
        return new Passes(size > 2 ? size : -size);
    }

    // tally: divided 3 2 1 0
    static long divided(long sum, int by) {
        for (int i = 0; i < 3; i++) {
            sum += i;
        }
        return sum / by;
    }

    // tally: caught 2 2 0 6
    static String caught(int by) {
        String text = "none";
        try {
            text = String.valueOf(divided(7, by));
        } catch (ArithmeticException e) {
            text = e.getMessage();
        } finally {
            text = text.trim();
        }
        return text;
    }

    // tally: measure 3 2 1 3
    static int measure(String text) {
        return text.length();
    }

    // tally: weigh 3 2 1 3
    static int weigh(int most, String text) {
        int sum = 0;
        for (int i = 0; i < most; i++) {
            sum += i;
        }
        return 1000 * sum + measure(text) + most;
    }

    static String of(Supplier<Object> what) {
        try {
            return String.valueOf(what.get());
        } catch (RuntimeException e) {
            return e.getClass().getName();
        }
    }

    public static void main(String[] arguments) {
        Passes plain = new Passes(1);
        Object[] results = {
            plain.size, of(() -> chosen(3).size), of(() -> chosen(0).size), of(() -> chosen(-2).size),
            of(() -> chosen(1).size), divided(10, 2), caught(2), caught(0), of(() -> weigh(3, "ab")),
            of(() -> weigh(2, "abc")), of(() -> weigh(4, null)),
        };
        for (Object result : results) {
            System.out.println(result);
        }
    }
}
