package java.lang;

/** What identifies an object that is only represented: the name of a thread, a logger, a loader. */
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
                return path == null ? text(o, "java.util.zip.ZipFile", "name") : path;
            case $RecrashTag.SECURITY:
                return text(o, "java.security.Provider", "name");
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
}
