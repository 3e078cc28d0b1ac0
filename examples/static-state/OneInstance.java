// crash: java.lang.NullPointerException

import java.util.HashMap;
import java.util.Map;

/**
 * Refuses to start a second time. With static state as it was at the crash, main could only run again in a class loader of
 * its own, which is not where JUnit runs it; its test leaves static state as the JVM makes it.
 */
public class OneInstance {
    static final class Lock {
        private static boolean taken;

        static void take() {
            if (taken && Lock.class.getClassLoader() == ClassLoader.getSystemClassLoader()) {
                throw new IllegalStateException("it runs already");
            }
            taken = true;
        }
    }

    private final Map<String, String> ports = new HashMap<>();

    int port(String service) {
        String port = ports.get(service);
        return Integer.parseInt(port.trim()); // frame: reproduced
    }

    public static void main(String[] args) {
        Lock.take();
        System.out.println(new OneInstance().port("http")); // frame: reproduced
    }
}
