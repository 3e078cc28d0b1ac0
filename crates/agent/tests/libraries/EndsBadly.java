// exit 3
// snapshot main java.lang.ArithmeticException
//   0 Shop.average([I, "nobody")
//   0 Shop.bill("nobody")
//   0 EndsBadly.main -
/** A command that says one line of what went wrong. */
public class EndsBadly {
    public static void main(String[] args) {
        try {
            Shop.find("a longer name");
        } catch (java.io.IOException expected) {
            System.out.println("another one");
        }
        try {
            System.out.println(Shop.bill("nobody"));
        } catch (RuntimeException e) {
            System.err.println("no bill: " + e.getMessage());
            System.exit(3);
        }
    }
}
