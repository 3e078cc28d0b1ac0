import java.util.Iterator;
import java.util.List;
import java.util.Objects;

/** A crash of every kind. */
public class Kinds {
    private int size;
    private Object[] items;
    private static int limit;

    static int divide(int a, int b) {
        int c = a * 2 - 6;
        if (b < 10) {
            return 0;
        }
        return b / c; // division
    }

    int get(int at) {
        if (at > 3 && size == 4) {
            return items[at].hashCode(); // index
        }
        return 0;
    }

    static Integer cast(Object it) {
        if (it instanceof Number) {
            return (Integer) it; // cast
        }
        return null;
    }

    static int[] make(int length) {
        return new int[length - 5]; // negative
    }

    static void put(Object[] to, Object what) {
        if (to.length > 1) {
            to[1] = what; // store
        }
    }

    static int parse(String text) {
        if (text.startsWith("n=")) {
            return Integer.parseInt(text.substring(2)); // parse
        }
        return 0;
    }

    static char third(String text) {
        if (text.length() > 1 && text.charAt(0) == '-') {
            return text.charAt(2); // character
        }
        return ' ';
    }

    static Character boxed(String text) {
        return text.charAt(1); // boxed
    }

    static Object required(Object it, int number) {
        if (number * 7 == 91) {
            return Objects.requireNonNull(it); // required
        }
        return it;
    }

    static Object first(Iterator<?> all) {
        return all.next(); // next
    }

    static Object element(List<?> all, int at) {
        return all.get(at); // element
    }

    static void check(long value) {
        assert value != 77L; // assertion
    }

    static void floats(double value) {
        if (value * 2 > 5.0 && value < 2.75) {
            throw new IllegalStateException(); // double
        }
    }

    static void bits(int flags) {
        if ((flags & 6) == 4 && (flags >>> 28) == 15) {
            throw new IllegalStateException(); // bits
        }
    }

    static void overflow(int value) {
        if (value > 0 && value + 10 < 0) {
            throw new IllegalStateException(); // overflow
        }
    }

    static void never(int value) {
        if (value > 5) {
            if (value < 3) {
                throw new IllegalStateException(); // never
            }
        }
    }

    static void neverNull() {
        Kinds it = new Kinds();
        it.size = 1; // fresh
    }

    void outer(String text) {
        if (text != null) {
            limit = text.length();
            inner(limit + 1); // outer
        }
    }

    private void inner(int length) {
        if (length == 5) {
            throw new IllegalArgumentException(); // inner
        }
    }

    static int sum(int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += 2;
        }
        if (sum == 4) {
            throw new IllegalStateException(); // loop
        }
        return sum;
    }

    private static int twice(int value) {
        return value < 0 ? -1 : value + value;
    }

    static void called(int value) {
        if (twice(value) == 42) {
            throw new IllegalStateException(); // called
        }
    }

    static void built(String text) {
        String all = new StringBuilder("a").append(text).append(7).toString();
        if (all.equals("abc7")) {
            throw new IllegalStateException(); // built
        }
    }

    static void switched(int key, Kinds other) {
        switch (key) {
            case 3:
            case 9:
                if (other.size == key) {
                    throw new IllegalStateException(); // switched
                }
                break;
            default:
        }
    }
}
