package java.lang;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.util.concurrent.ForkJoinPool;
import java.util.jar.JarFile;
import java.util.zip.ZipFile;
import jdk.internal.misc.Unsafe;

/** Stand-ins by class: closed files, archives opened anew, unconnected sockets, the JVM's own singletons. */
final class $RecrashRareStandIns {
    private static final String CLOSED = " (closed)";

    private $RecrashRareStandIns() {}

    /** The scheme of one of the JDK's file systems; asking another kind would call a method of the program. */
    static String scheme(FileSystem system) {
        Class<?> type = system.getClass();
        return $RecrashOpaque.isJdk(type) || isOfImage(type) ? system.provider().getScheme() : "";
    }

    /** Whether the JDK has loaded the class from the image of a JDK that was named to it, be it its own. */
    private static boolean isOfImage(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader != null && loader.getClass().getName().startsWith("jdk.internal.jrtfs.")
                && $RecrashOpaque.isJdk(loader.getClass());
    }

    /** The path of an archive, and whether it is closed already. */
    static String archive(ZipFile file, String path) {
        long closed = $RecrashMemory.offset(ZipFile.class, "closeRequested");
        return path != null && closed >= 0 && Unsafe.getUnsafe().getBoolean(file, closed) ? path + CLOSED : path;
    }

    /** The same archive, opened anew; null when it is not here. */
    private static Object openArchive(boolean jar, String text) {
        boolean closed = text.endsWith(CLOSED);
        File path = new File(closed ? text.substring(0, text.length() - CLOSED.length()) : text);
        // A pipe would be waited for.
        if (!path.isFile()) {
            return null;
        }
        try {
            ZipFile file = jar ? new JarFile(path) : new ZipFile(path);
            if (closed) {
                file.close();
            }
            return file;
        } catch (IOException unreadable) {
            return null;
        }
    }

    static Object create(String type, String text) {
        switch (type) {
            case "java.io.FileDescriptor":
                return new FileDescriptor();
            case "java.io.FileInputStream":
                return new FileInputStream(new FileDescriptor());
            case "java.io.FileOutputStream":
                return new FileOutputStream(new FileDescriptor());
            case "java.util.zip.ZipFile":
                return openArchive(false, text);
            case "java.util.jar.JarFile":
                return openArchive(true, text);
            case "java.net.Socket":
                return new java.net.Socket();
            case "java.security.SecureRandom":
                return new java.security.SecureRandom();
            case "java.util.concurrent.ForkJoinPool":
                return ForkJoinPool.commonPool();
            case "java.util.Currency":
                return java.util.Currency.getInstance(text);
            case "java.lang.ref.Cleaner":
                return java.lang.ref.Cleaner.create();
            default:
                break;
        }
        if (type.equals(FileSystems.getDefault().getClass().getName())) {
            return FileSystems.getDefault();
        }
        if (text.equals("jrt")) {
            return FileSystems.getFileSystem(java.net.URI.create("jrt:/"));
        }
        if (type.equals(FileSystems.getDefault().provider().getClass().getName())) {
            return FileSystems.getDefault().provider();
        }
        return null;
    }
}
