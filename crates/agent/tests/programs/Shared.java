// exit 1
// snapshot main java.lang.IllegalStateException
//   0 Shared.inner(3)
//   0 Shared.outer("abc")
//   0 Shared.main([Ljava.lang.String;)
public class Shared {
    /** Its stack trace was made here and tells nothing of the places it is thrown at. */
    static final IllegalStateException SHARED = new IllegalStateException("shared");

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
        } catch (IllegalStateException s) {
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
