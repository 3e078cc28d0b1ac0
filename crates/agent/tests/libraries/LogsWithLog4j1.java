// exit 0
// libraries frameworks/reload4j.jar
// snapshot main java.lang.ArithmeticException
//   0 Shop.average([I, "nobody")
//   0 Shop.bill("nobody")
//   0 LogsWithLog4j1.main -
// snapshot main java.lang.IllegalStateException
//   0 Shop.stock("as message")
//   0 LogsWithLog4j1.main -
import org.apache.log4j.Logger;

public class LogsWithLog4j1 {
    private static final Logger LOG = Logger.getLogger("shop");

    public static void main(String[] args) {
        try {
            Shop.find("somebody");
        } catch (java.io.IOException e) {
            LOG.warn("not an error", e);
        }
        try {
            Shop.bill("nobody");
        } catch (ArithmeticException e) {
            LOG.error("failed", e);
        }
        try {
            Shop.stock("as message");
        } catch (IllegalStateException e) {
            LOG.error(e);
        }
        System.out.println("goes on");
    }
}
