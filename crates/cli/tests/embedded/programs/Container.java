import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;

/** Serves the unpacked web applications that it is given, each with a class loader of its own. */
public class Container {
    public static void main(String[] folders) throws Exception {
        for (int i = 0; i < folders.length; i++) {
            URL[] classes = {new File(folders[i], "WEB-INF/classes/").toURI().toURL()};
            Object page = new URLClassLoader(classes).loadClass("shop.Page").getConstructor().newInstance();
            Method get = page.getClass().getMethod("doGet", String.class, int.class);
            int lines = 2 + i;
            Thread request = new Thread(() -> {
                try {
                    get.invoke(page, "carl", lines);
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(e);
                }
            });
            request.start();
            request.join();
        }
    }
}
