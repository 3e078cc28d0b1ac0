// exit 0
// snapshot main java.lang.ArithmeticException
//   0 Shop.average([I, "nobody")
//   0 Shop.bill("nobody")
//   0 LoggedOnTheWay.order -
//   0 LoggedOnTheWay.request -
//   0 LoggedOnTheWay.main -
import java.util.logging.Level;
import java.util.logging.Logger;

/** The same failure twice, the second time from deeper in the stack: its like was captured, wherever it is seen. */
public class LoggedOnTheWay {
    private static final Logger LOG = Logger.getLogger("shop");

    static void order(String customer) {
        try {
            Shop.bill(customer);
        } catch (ArithmeticException e) {
            LOG.log(Level.SEVERE, "failed", e);
            throw e;
        }
    }

    static void request(String customer) {
        try {
            order(customer);
        } catch (ArithmeticException e) {
            LOG.log(Level.SEVERE, "not answered", e);
        }
    }

    public static void main(String[] args) {
        LOG.setUseParentHandlers(false);
        request("nobody");
        Runnable deeper = () -> request("nobody");
        deeper.run();
        System.out.println("goes on");
    }
}
