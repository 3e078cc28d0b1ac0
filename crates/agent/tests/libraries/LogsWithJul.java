// exit 0
// snapshot main java.lang.ArithmeticException
//   0 Shop.average([I, "nobody")
//   0 Shop.bill("nobody")
//   0 LogsWithJul.main -
import java.util.logging.Level;
import java.util.logging.Logger;

public class LogsWithJul {
    private static final Logger LOG = Logger.getLogger("shop");

    public static void main(String[] args) {
        try {
            Shop.stock("somebody");
        } catch (IllegalStateException e) {
            LOG.log(Level.WARNING, "not an error", e);
        }
        for (int i = 0; i < 3; i++) {
            try {
                Shop.bill("nobody");
            } catch (ArithmeticException e) {
                LOG.log(Level.SEVERE, "failed", e);
            }
        }
        System.out.println("goes on");
    }
}
