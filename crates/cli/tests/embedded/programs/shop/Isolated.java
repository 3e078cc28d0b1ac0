package shop;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Loads one class of its own jar with a loader that knows nothing but the JDK. */
public class Isolated {
    static class Alone extends ClassLoader {
        Alone() {
            super(ClassLoader.getPlatformClassLoader());
        }

        Class<?> define(String name, byte[] bytes) {
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            System.out.println(args[0]);
            return;
        }
        Class<?> again = new Alone().define("shop.Isolated", bytes("/shop/Isolated.class"));
        again.getMethod("main", String[].class).invoke(null, (Object) new String[] {"alone"});
        Class<?> order = new Alone().define("shop.Order", bytes("/shop/Order.class"));
        Object made = order.getConstructor().newInstance();
        try {
            order.getMethod("total", String.class, int.class).invoke(made, null, 1);
        } catch (java.lang.reflect.InvocationTargetException e) {
            System.out.println("caught " + e.getCause());
        }
        order.getMethod("total", String.class, int.class).invoke(made, "ben", 7);
    }

    private static byte[] bytes(String name) throws IOException {
        try (InputStream in = Isolated.class.getResourceAsStream(name)) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            for (int next; (next = in.read()) >= 0; ) {
                out.write(next);
            }
            return out.toByteArray();
        }
    }
}
