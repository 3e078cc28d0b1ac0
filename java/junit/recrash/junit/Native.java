package recrash.junit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The native library: reads snapshots and brings the restoring classes into the JVM. It is the file that the system
 * property {@code recrash.library} names, or the copy in this jar.
 */
final class Native {
    private static boolean loaded;

    private Native() {}

    /** Loads the library unless that is done. */
    static synchronized void load() {
        if (loaded) {
            return;
        }
        requireJava();
        String named = System.getProperty("recrash.library");
        Path library = named != null ? Paths.get(named).toAbsolutePath() : unpacked();
        try {
            System.load(library.toString());
        } catch (UnsatisfiedLinkError e) {
            loadCopy(library, e);
        }
        loaded = true;
    }

    /**
     * The restore plan of a frame. Flags: 1 leaves the static fields and thread locals out, 2 the values on entry.
     *
     * @throws SnapshotException when the file cannot be read
     */
    static native byte[] plan(String path, int frame, int flags);

    private static void requireJava() {
        String version = System.getProperty("java.specification.version", "");
        if (version.startsWith("1.") || version.equals("9") || version.equals("10")) {
            throw new SnapshotException("snapshots are restored on Java 17 or newer, this is Java " + version);
        }
    }

    /** A library is loaded by one class loader only; another one (a container, a test runner) loads a copy. */
    private static void loadCopy(Path library, UnsatisfiedLinkError error) {
        if (!String.valueOf(error.getMessage()).contains("already loaded")) {
            throw new SnapshotException(library + " cannot be loaded: " + error.getMessage(), error);
        }
        try {
            Path copy = Files.createTempFile("librecrash", ".so");
            copy.toFile().deleteOnExit();
            Files.copy(library, copy, StandardCopyOption.REPLACE_EXISTING);
            System.load(copy.toString());
        } catch (IOException | UnsatisfiedLinkError e) {
            throw new SnapshotException(library + " cannot be loaded a second time: " + e.getMessage(), e);
        }
    }

    private static Path unpacked() {
        String resource = "native/" + Library.platform() + "/librecrash.so";
        try (InputStream in = Native.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new SnapshotException("recrash-junit.jar has no library for " + Library.platform()
                        + "; name one with -Drecrash.library=FILE");
            }
            byte[] bytes = Library.read(in);
            return Library.unpack(bytes, "librecrash-" + hash(bytes) + ".so");
        } catch (IOException e) {
            throw new SnapshotException("the library in recrash-junit.jar cannot be unpacked: " + e.getMessage()
                    + "; name one with -Drecrash.library=FILE", e);
        }
    }

    private static String hash(byte[] bytes) {
        try {
            StringBuilder hex = new StringBuilder();
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            for (int i = 0; i < 8; i++) {
                hex.append(String.format("%02x", digest[i]));
            }
            return hex.toString();
        } catch (NoSuchAlgorithmException e) {
            return Integer.toHexString(Arrays.hashCode(bytes));
        }
    }
}
