package judge;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Links every class of the first jar (the others are there to resolve against) without running any of its code, and
 * prints a line for each class that the JVM refuses. Asking for the declared constructors links a class: that is when
 * HotSpot verifies it. With {@code -Djudge.jdk=true} the jar only lists the classes; they are those of this very JVM.
 */
public final class Judge {
    public static void main(String[] args) throws Exception {
        URL[] urls = new URL[args.length];
        for (int i = 0; i < args.length; i++) {
            urls[i] = new File(args[i]).toURI().toURL();
        }
        boolean ofThisJdk = Boolean.getBoolean("judge.jdk");
        ClassLoader system = Judge.class.getClassLoader();
        ClassLoader loader = ofThisJdk ? system : new URLClassLoader(urls, system.getParent());
        int linked = 0;
        int refused = 0;
        TreeMap<String, Integer> others = new TreeMap<>();
        for (String name : classes(args[0])) {
            try {
                Class.forName(name, false, loader).getDeclaredConstructors();
                linked++;
            } catch (VerifyError | ClassFormatError | IncompatibleClassChangeError e) {
                refused++;
                System.out.println("refused " + name + " " + e.getClass().getName() + " " + e.getMessage());
            } catch (Throwable e) {
                others.merge(e.getClass().getSimpleName(), 1, Integer::sum);
            }
        }
        System.out.println("linked " + linked + " refused " + refused + " other " + others);
    }

    private static List<String> classes(String jarFile) throws Exception {
        List<String> names = new ArrayList<>();
        try (JarFile jar = new JarFile(jarFile)) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                String name = entry.getName();
                if (name.endsWith(".class") && !name.startsWith("META-INF/") && !name.endsWith("-info.class")) {
                    names.add(name.substring(0, name.length() - 6).replace('/', '.'));
                }
            }
        }
        return names;
    }
}
