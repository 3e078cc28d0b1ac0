// exit 0
// libraries subjects/log4j-api.jar subjects/log4j-core.jar
// snapshot main java.lang.ArithmeticException
//   0 Shop.average([I, "nobody")
//   0 Shop.bill("nobody")
//   0 LogsWithLog4j2.main -
// snapshot main java.lang.IllegalStateException
//   0 Shop.stock("fluent")
//   0 LogsWithLog4j2.main -
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

public class LogsWithLog4j2 {
    private static final Logger LOG = LogManager.getLogger("shop");

    public static void main(String[] args) {
        try {
            Shop.find("somebody");
        } catch (java.io.IOException e) {
            LOG.warn("not an error", e);
        }
        try {
            Shop.bill("nobody");
        } catch (ArithmeticException e) {
            LOG.error("{} failed", "bill", e);
        }
        try {
            Shop.stock("fluent");
        } catch (IllegalStateException e) {
            LOG.atFatal().withThrowable(e).log("failed");
        }
        System.out.println("goes on");
    }
}
