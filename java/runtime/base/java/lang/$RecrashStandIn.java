package java.lang;

import java.nio.file.FileSystem;

/**
 * Objects that are only represented: what identifies them at capture (the name of a thread, a logger, a loader), and
 * what takes their place at restore.
 */
final class $RecrashStandIn {
    private $RecrashStandIn() {}

    static String describe(Object o, int reason) {
        try {
            String text = identify(o, reason);
            return text == null ? "" : text.length() > 1000 ? text.substring(0, 1000) : text;
        } catch (RuntimeException | LinkageError strange) {
            return "";
        }
    }

    private static String identify(Object o, int reason) {
        switch (reason) {
            case $RecrashTag.CRASHING_THREAD:
            case $RecrashTag.OTHER_THREAD:
                // final, unlike most of Thread's methods
                return ((Thread) o).getName();
            case $RecrashTag.THREAD_GROUP:
                return ((ThreadGroup) o).getName();
            case $RecrashTag.CLASS_LOADER:
                if (o == ClassLoader.getPlatformClassLoader()) {
                    return "platform";
                }
                return o == jdk.internal.loader.ClassLoaders.appClassLoader() ? "app" : "";
            case $RecrashTag.MODULE:
                return o instanceof Module ? ((Module) o).getName() : "";
            case $RecrashTag.LOGGER:
                return text(o, "java.util.logging.Logger", "name");
            case $RecrashTag.NATIVE_MEMORY:
                if (o instanceof java.nio.Buffer) {
                    return String.valueOf(((java.nio.Buffer) o).capacity());
                }
                return "";
            case $RecrashTag.STREAM:
                String path = text(o, "java.io.FileInputStream", "path");
                path = path == null ? text(o, "java.io.FileOutputStream", "path") : path;
                path = path == null ? text(o, "java.io.RandomAccessFile", "path") : path;
                if (o instanceof java.util.zip.ZipFile) {
                    path = text(o, "java.util.zip.ZipFile", "name");
                    // as newer JDKs call it
                    path = path == null ? text(o, "java.util.zip.ZipFile", "filePath") : path;
                    return $RecrashRareStandIns.archive((java.util.zip.ZipFile) o, path);
                }
                return path;
            case $RecrashTag.SECURITY:
                return text(o, "java.security.Provider", "name");
            case $RecrashTag.JVM_INTERNAL:
                if (o instanceof FileSystem) {
                    return $RecrashRareStandIns.scheme((FileSystem) o);
                }
                return text(o, "java.util.Currency", "currencyCode");
            default:
                return "";
        }
    }

    /** A string field that the JDK class {@code declaring} adds to {@code o}; null when {@code o} is no such object. */
    private static String text(Object o, String declaring, String field) {
        for (Class<?> c = o.getClass(); c != null; c = c.getSuperclass()) {
            if (c.getName().equals(declaring)) {
                Object value = $RecrashMemory.reference(o, $RecrashMemory.offset(c, field));
                return value instanceof String ? (String) value : null;
            }
        }
        return null;
    }

    /** A harmless object of a fitting type, or null when there is none. */
    static Object create(int reason, String type, String text, ClassLoader loader) throws ReflectiveOperationException {
        switch (reason) {
            case $RecrashTag.CRASHING_THREAD:
                return Thread.currentThread();
            case $RecrashTag.OTHER_THREAD:
                return new Thread((Runnable) null, text);
            case $RecrashTag.THREAD_GROUP:
                return Thread.currentThread().getThreadGroup();
            case $RecrashTag.CLASS_LOADER:
                if (type.equals("java.net.URLClassLoader")) {
                    return new java.net.URLClassLoader(new java.net.URL[0], loader);
                }
                return text.equals("platform") ? ClassLoader.getPlatformClassLoader() : loader;
            case $RecrashTag.MODULE:
                return type.equals("java.lang.Module") && loader != null ? loader.getUnnamedModule() : null;
            case $RecrashTag.LOGGER:
                return logger(text, loader);
            case $RecrashTag.NATIVE_MEMORY:
                return memory(type, text);
            default:
                return $RecrashRareStandIns.create(type, text);
        }
    }

    /** A loader of the program's class in which only the constructor of its super class in the JDK has run. */
    static Object loader(Class<?> type, ClassLoader parent) throws ReflectiveOperationException {
        Class<?> above = type;
        while (!$RecrashOpaque.isJdk(above)) {
            above = above.getSuperclass();
        }
        boolean url = above == java.net.URLClassLoader.class;
        Class<?>[] parameters = url
                ? new Class<?>[] {java.net.URL[].class, ClassLoader.class}
                : new Class<?>[] {ClassLoader.class};
        Object[] arguments = url ? new Object[] {new java.net.URL[0], parent} : new Object[] {parent};
        return jdk.internal.reflect.ReflectionFactory.getReflectionFactory()
                .newConstructorForSerialization(type, above.getDeclaredConstructor(parameters))
                .newInstance(arguments);
    }

    /** java.util.logging is in a module that java.base does not know. */
    private static Object logger(String name, ClassLoader loader) throws ReflectiveOperationException {
        Class<?> type = Class.forName("java.util.logging.Logger", true, loader);
        return type.getMethod("getLogger", String.class).invoke(null, name);
    }

    private static Object memory(String type, String text) {
        if (type.startsWith("java.nio.DirectByteBuffer") && !text.isEmpty()) {
            return java.nio.ByteBuffer.allocateDirect(Math.min(Integer.parseInt(text), 1 << 20));
        }
        switch (type) {
            case "java.util.zip.Inflater":
                return new java.util.zip.Inflater();
            case "java.util.zip.Deflater":
                return new java.util.zip.Deflater();
            default:
                return null;
        }
    }
}
