package java.lang;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.util.concurrent.ForkJoinPool;

/** Stand-ins by class: closed files, unconnected sockets, the JVM's own singletons. */
final class $RecrashStandInRare {
    private $RecrashStandInRare() {}

    /** The scheme of one of the JDK's file systems; asking another kind would call a method of the program. */
    static String scheme(FileSystem system) {
        return $RecrashOpaque.isJdk(system.getClass()) ? system.provider().getScheme() : "";
    }

    static Object create(String type, String text) {
        switch (type) {
            case "java.io.FileDescriptor":
                return new FileDescriptor();
            case "java.io.FileInputStream":
                return new FileInputStream(new FileDescriptor());
            case "java.io.FileOutputStream":
                return new FileOutputStream(new FileDescriptor());
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
