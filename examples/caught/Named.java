// crash: java.lang.NumberFormatException
// options: --on java.lang.NumberFormatException

/** Nobody hears of this failure: it is caught, and nothing is said. recrash was told to look out for it. */
public class Named {
    static int parse(String text) {
        String trimmed = text.trim();
        int number = Integer.parseInt(trimmed); // frame: reproduced
        return number % 100;
    }

    static int orZero(String text) {
        try {
            return parse(text) + 1; // frame: passes
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    public static void main(String[] args) {
        System.out.println(orZero("12") + orZero("1O")); // frame: passes
    }
}
