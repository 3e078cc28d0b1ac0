// crash: java.lang.NullPointerException

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Comparator;

/**
 * Refuses to start a second time. With static state as it was at the crash, it could only start in a class loader of its own,
 * which is not where JUnit runs it; its test leaves static state as the JVM makes it. That serves one test: the one of the
 * lambda has started it when that of the frame inside wants to.
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

    /** What no source makes, so that the tests load it. */
    static final class ByLength implements InvocationHandler {
        @Override
        public Object invoke(Object proxy, Method method, Object[] names) {
            return ((String) names[0]).length() - ((String) names[1]).length();
        }
    }

    private final Comparator<String> order;

    OneInstance(Comparator<String> order) {
        this.order = order;
    }

    int port(String service) {
        boolean known = order.compare(service, "https") >= 0;
        String port = known ? "443" : null;
        return Integer.parseInt(port.trim()); // frame: reproduced
    }

    int start(String service) {
        Lock.take();
        System.out.println("starting " + service);
        return port(service.trim()); // frame: not-runnable
    }

    @SuppressWarnings("unchecked")
    public static void main(String[] args) {
        Class<?>[] types = {Comparator.class};
        Object order = Proxy.newProxyInstance(OneInstance.class.getClassLoader(), types, new ByLength());
        OneInstance instance = new OneInstance((Comparator<String>) order);
        new Thread(() -> instance.start("http")).start(); // frame: reproduced
    }
}
