package recrash.synth;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The program's classes, some of them with probes, above the JDK's and nothing of recrash. */
final class Loader extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    private final Map<String, byte[]> woven;

    /** A changed class has no signature; so none in its package may have one (JVMS 5.3 leaves that to the loader). */
    private final Set<String> unsigned = new HashSet<>();

    Loader(String[] classPath, Map<String, byte[]> woven) {
        super(urls(classPath), ClassLoader.getSystemClassLoader().getParent());
        this.woven = woven;
        for (String name : woven.keySet()) {
            unsigned.add(packageOf(name));
        }
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

    private static String packageOf(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (name.equals(Probe.class.getName())) {
            return Probe.class;
        }
        byte[] bytes = woven.get(name);
        String inPackage = packageOf(name);
        if (bytes == null && !unsigned.contains(inPackage)) {
            return super.findClass(name);
        }
        String file = name.replace('.', '/') + ".class";
        URL place = findResource(file);
        if (bytes == null) {
            bytes = read(name, place);
        }
        if (!inPackage.isEmpty() && getPackage(inPackage) == null) {
            definePackage(inPackage, null, null, null, null, null, null, null);
        }
        return defineClass(name, bytes, 0, bytes.length, place == null ? null : domain(place, file));
    }

    private static byte[] read(String name, URL place) throws ClassNotFoundException {
        if (place == null) {
            throw new ClassNotFoundException(name);
        }
        try (InputStream in = place.openStream()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            byte[] buffer = new byte[1 << 13];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                bytes.write(buffer, 0, count);
            }
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    /** Programs may ask where their classes are from. */
    private static ProtectionDomain domain(URL place, String file) {
        String text = place.toString();
        text = text.substring(0, text.length() - file.length());
        if (text.startsWith("jar:") && text.endsWith("!/")) {
            text = text.substring("jar:".length(), text.length() - "!/".length());
        }
        try {
            return new ProtectionDomain(new CodeSource(new URL(text), (Certificate[]) null), null);
        } catch (MalformedURLException e) {
            return null;
        }
    }
}
