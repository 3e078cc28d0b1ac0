// exit 0
// libraries frameworks/slf4j-api.jar frameworks/logback-classic.jar frameworks/logback-core.jar
// snapshot main java.lang.ArithmeticException
//   0 Shop.average([I, "nobody")
//   0 Shop.bill("nobody")
//   0 LogsWithLogback.main -
// snapshot main java.lang.IllegalStateException
//   0 Shop.stock("fluent")
//   0 LogsWithLogback.main -
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public class LogsWithLogback {
    private static final Logger LOG = LoggerFactory.getLogger("shop");

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
            LOG.atError().setCause(e).log("failed");
        }
        System.out.println("goes on");
    }
}
