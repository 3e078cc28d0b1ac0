// exit 0
import java.util.logging.Level;
import java.util.logging.Logger;

/** As many different failures as its argument says: the way down is of another depth each time. */
public class ManyKinds {
    static int deeper(int depth) {
        if (depth == 0) {
            return Shop.bill("nobody");
        }
        return depth % 2 == 0 ? even(depth - 1) : deeper(depth - 1) + depth;
    }

    static int even(int depth) {
        int next = depth;
        return deeper(next) + next + depth;
    }

    public static void main(String[] args) {
        Logger log = Logger.getLogger("shop");
        log.setUseParentHandlers(false);
        for (int i = 0; i < 40; i++) {
            try {
                deeper(i);
            } catch (ArithmeticException e) {
                log.log(Level.SEVERE, "failed", e);
            }
        }
    }
}
