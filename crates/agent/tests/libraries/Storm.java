// exit 0
// snapshot main java.lang.ArithmeticException
//   0 Shop.average([I, "nobody")
//   0 Shop.bill("nobody")
//   0 Storm.main -
import java.util.logging.Level;
import java.util.logging.Logger;

/** Logs far more errors than anyone can look at. */
public class Storm {
    public static void main(String[] args) {
        Logger log = Logger.getLogger("shop");
        log.setUseParentHandlers(false);
        for (int i = 0; i < 20_000; i++) {
            try {
                Shop.bill("nobody");
            } catch (ArithmeticException e) {
                log.log(Level.SEVERE, "failed", e);
            }
        }
        System.out.println("goes on");
    }
}
