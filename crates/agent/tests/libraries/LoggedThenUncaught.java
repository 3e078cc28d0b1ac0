// exit 1
// snapshot main java.lang.RuntimeException <- java.lang.ArithmeticException
//   1 Shop.average([I, "nobody")
//   1 Shop.bill("nobody")
//   0 LoggedThenUncaught.order("nobody")
//   0 LoggedThenUncaught.main([Ljava.lang.String;)
import java.util.logging.Level;
import java.util.logging.Logger;

/** One failure, though it is seen three times on its way. */
public class LoggedThenUncaught {
    private static final Logger LOG = Logger.getLogger("shop");

    static int order(String customer) {
        try {
            return Shop.bill(customer.trim());
        } catch (ArithmeticException e) {
            LOG.log(Level.SEVERE, "failed", e);
            LOG.log(Level.SEVERE, "failed indeed", new IllegalStateException(e));
            throw new RuntimeException(customer, e);
        }
    }

    public static void main(String[] args) {
        String customer = "nobody";
        System.out.println(order(customer));
    }
}
