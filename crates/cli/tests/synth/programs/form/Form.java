package form;

/** State in fields that everybody may set, and nobody does. */
public class Form {
    public long number;
    String title;
    static int pages = 1;

    public int lines() {
        if (number == 777_123_456_789L && "draft".equals(title)) {
            return 10 / (pages - 4120);
            // trace: java.lang.ArithmeticException: / by zero | lines
        }
        return 0;
    }
}
