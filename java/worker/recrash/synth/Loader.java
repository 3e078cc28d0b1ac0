package recrash.synth;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Map;

/** The program's classes, some of them with probes, above the JDK's and nothing of recrash. */
final class Loader extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    private final Map<String, byte[]> woven;

    Loader(String[] classPath, Map<String, byte[]> woven) {
        super(urls(classPath), ClassLoader.getSystemClassLoader().getParent());
        this.woven = woven;
    }

    private static URL[] urls(String[] classPath) {
        URL[] urls = new URL[classPath.length];
        for (int i = 0; i < urls.length; i++) {
            try {
                urls[i] = new File(classPath[i]).toURI().toURL();
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(classPath[i], e);
            }
        }
        return urls;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (name.equals(Probe.class.getName())) {
            return Probe.class;
        }
        byte[] bytes = woven.get(name);
        if (bytes == null) {
            return super.findClass(name);
        }
        int dot = name.lastIndexOf('.');
        if (dot > 0 && getPackage(name.substring(0, dot)) == null) {
            definePackage(name.substring(0, dot), null, null, null, null, null, null, null);
        }
        return defineClass(name, bytes, 0, bytes.length);
    }
}
