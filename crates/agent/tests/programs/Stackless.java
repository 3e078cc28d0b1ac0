// exit 1
// snapshot main Stackless
//   0 Stackless.inner(3)
//   0 Stackless.outer("abc")
//   0 Stackless.main([Ljava.lang.String;)
public class Stackless extends RuntimeException {
    /** One for all, and thrown several times: only the last way counts. */
    static final Stackless SHARED = new Stackless();

    Stackless() {
        super("shared", null, false, false);
    }

    static int inner(int number) {
        int twice = number * 2;
        if (twice >= 0) {
            throw SHARED;
        }
        return twice;
    }

    static int outer(String text) {
        int length = text.length();
        return inner(length) + length;
    }

    static int quiet(int number) {
        try {
            return inner(number);
        } catch (Stackless s) {
            return number;
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 1000; i++) {
            quiet(i);
        }
        System.out.println("quiet");
        System.out.println(outer("abc"));
    }
}
