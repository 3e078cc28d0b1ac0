import java.util.function.IntUnaryOperator;

/**
 * One crash per kind of method. Each `// records:` comment is a frame that the handlers must record: method, place, then
 * of receiver, arguments and saved fields the references and then the primitives. A saved field of a null argument is
 * recorded as zero.
 */
public class Kinds {
    int count = 7;
    String name = "kinds";
    static int statics = 3;

    static int boom(int divisor) {
        int base = 100;
        int result = base / divisor;
        return result + statics;
    }

    // records: boom Body 0
    // records: instance Body Kinds text 4
    int instance(int a, String b) {
        int sum = a + b.length() + count;
        return sum + boom(sum - sum);
    }

    // records: boom Body 0
    // records: wide Body x 9000000000L 1.5d 2.5f 1 65
    static double wide(long l, double d, float f, boolean z, char c, String s) {
        return l * d + f + (z ? 1 : 0) + c + s.length() + boom(0);
    }

    // records: boom Body 0
    // records: overwrites Body Kinds old 5 6L
    int overwrites(int a, long b, String c) {
        a = a * 2;
        b += a;
        c = c + b;
        a++;
        return boom(a - a) + c.length();
    }

    // records: boom Body 0
    // records: writesFields Body Kinds kinds 1 7
    int writesFields(int delta) {
        count += delta;
        name = "changed" + count;
        return boom(0) + delta;
    }

    // records: boom Body 0
    // records: writesArgument Body Kinds Kinds null 7 0
    int writesArgument(Kinds other, Kinds none) {
        other.count = 99;
        if (none != null) {
            none.count = 98;
        }
        return boom(0);
    }

    // records: boom Body 0
    // records: varargs Body int[] 2
    static int varargs(int first, int... rest) {
        int sum = first;
        for (int r : rest) {
            sum += r;
        }
        return boom(sum - sum);
    }

    // records: boom Body 0
    // records: locked Body Kinds 11
    synchronized int locked(int a) {
        synchronized (name) {
            int x = a + count;
            return boom(x - x);
        }
    }

    // records: boom Body 0
    // records: lambda$lambda$0 Body Kinds 5
    IntUnaryOperator lambda() {
        return i -> {
            int x = i + count;
            int y = x * 2;
            return boom(y - 2 * x);
        };
    }

    interface Defaulted {
        // records: boom Body 0
        // records: withDefault Body Implementor 8
        default int withDefault(int a) {
            int x = a + 1;
            int y = x * 2;
            return boom(y - 2 * x);
        }
    }

    static class Implementor implements Defaulted {}

    static class Base {
        int base;

        // records: boom Body 0
        // records: <init> Body Derived 0
        Base(int divisor) {
            base = 1;
            int x = boom(divisor);
            base = x;
        }
    }

    static class Derived extends Base {
        int derived;

        // Inside super(...) there is no handler.
        Derived(int divisor, String text) {
            super(divisor);
            derived = text.length();
        }

        // records: boom Body 0
        // records: <init> BeforeSuper null 0
        Derived(int divisor) {
            super(boom(divisor) > 0 ? 1 : 2);
            derived = 2;
        }

        // records: <init> Body Derived afterwards 1.0d
        Derived(double unused, String text) {
            super(1);
            derived = text.length();
            throw new IllegalStateException(text + unused);
        }
    }

    static class Initialised {
        static int value;

        // records: boom Body 0
        // records: <clinit> Body
        static {
            int x = 5;
            int y = x - 5;
            value = boom(y);
        }
    }

    // Caught inside: only the frames below the catch are recorded.
    // records: boom Body 0
    static int catches(int a) {
        try {
            return boom(a);
        } catch (ArithmeticException e) {
            return -1;
        }
    }

    // records: boom Body 0
    // records: cleansUp Body Kinds 3 7
    int cleansUp(int a) {
        try {
            return boom(a - a);
        } finally {
            count = a;
        }
    }

    // records: switches Body Kinds b 2
    int switches(int a, String s) {
        int result = 0;
        while (true) {
            switch (a) {
                case 0:
                    result += 1;
                    break;
                case 1:
                    result += 2;
                    break;
                case 2:
                    switch (s) {
                        case "a":
                            a = 9;
                            break;
                        case "b":
                            a = 1000;
                            break;
                        default:
                            a = 1;
                    }
                    continue;
                case 1000:
                    throw new IllegalArgumentException(s + result);
                default:
                    return result;
            }
            a--;
        }
    }

    // records: throwsWhenNull Body null -1
    static int throwsWhenNull(String text, int index) {
        while (index < 0) {
            index++;
        }
        return text.length() + index;
    }

    interface Action {
        Object run() throws Throwable;
    }

    static void attempt(String name, Action action) {
        try {
            System.out.println(name + " returned " + action.run());
        } catch (Throwable t) {
            StackTraceElement top = t.getStackTrace()[0];
            System.out.println(name + " threw " + t + " at " + top.getMethodName() + ":" + top.getLineNumber());
        }
    }

    public static void main(String[] args) {
        Kinds k = new Kinds();
        IntUnaryOperator lambda = new Kinds().lambda();
        attempt("instance", () -> k.instance(4, "text"));
        attempt("wide", () -> wide(9000000000L, 1.5, 2.5f, true, 'A', "x"));
        attempt("overwrites", () -> k.overwrites(5, 6, "old"));
        attempt("writesFields", () -> k.writesFields(1));
        attempt("writesArgument", () -> new Kinds().writesArgument(new Kinds(), null));
        attempt("varargs", () -> varargs(2, 1));
        attempt("locked", () -> k.locked(11));
        attempt("lambda", () -> lambda.applyAsInt(5));
        attempt("default", () -> new Implementor().withDefault(8));
        attempt("inside super", () -> new Derived(0, "inside"));
        attempt("before super", () -> new Derived(0));
        attempt("after super", () -> new Derived(1.0, "afterwards"));
        attempt("initialiser", () -> Initialised.value);
        attempt("catches", () -> catches(0));
        attempt("cleansUp", () -> new Kinds().cleansUp(3));
        attempt("switches", () -> k.switches(2, "b"));
        attempt("throwsWhenNull", () -> throwsWhenNull(null, -1));
    }
}
