package recrash.start;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.CRC32;

/**
 * Starts the recorder of an instrumented program. {@code recrash instrument} puts this class, under another name, beside
 * the class that a program starts with, and makes that one call {@link #start} first.
 *
 * <p>Whatever goes wrong is said in one line, and the program runs as if it had not been instrumented: its handlers
 * sleep until the library wakes them.
 */
public final class Start {
    private static final String FOLDER = "/META-INF/recrash/";
    private static final String OPTIONS = "recrash.options";
    /** The library is given its options by this property, see crates/agent/src/offline.rs. */
    private static final String STARTING = "recrash.starting";

    // In the initialiser: it runs once, and threads that come second wait for it.
    static {
        try {
            begin();
        } catch (Throwable trouble) {
            say(trouble.getClass().getName() + ": " + trouble.getMessage());
        }
    }

    private Start() {}

    /** Does nothing: the class has been initialised by then. */
    public static void start() {}

    private static void begin() throws IOException {
        String asked = System.getProperty(OPTIONS, System.getenv("RECRASH_OPTIONS"));
        if ("off".equals(asked) || isThere()) {
            return;
        }
        String version = System.getProperty("java.specification.version", "");
        if (version.startsWith("1.") || Integer.parseInt(version) < 17) {
            say("it needs Java 17 or newer, this is Java " + version);
            return;
        }
        byte[] settings = resource("settings");
        byte[] library = resource(Library.platform() + "/librecrash.so");
        if (settings == null || library == null) {
            say("there is no library for " + Library.platform() + " in it");
            return;
        }
        // The library's version, then the options.
        String[] lines = new String(settings, StandardCharsets.UTF_8).split("\n", -1);
        CRC32 checksum = new CRC32();
        checksum.update(library, 0, library.length);
        if (!lines[0].equals(Integer.toHexString(library.length) + "-" + Long.toHexString(checksum.getValue()))) {
            say("the library in it is damaged");
            return;
        }
        Path unpacked = Library.unpack(library, "librecrash-" + lines[0] + ".so");
        System.setProperty(STARTING, asked == null ? lines[1] : lines[1] + "," + asked);
        try {
            System.load(unpacked.toAbsolutePath().toString());
        } catch (UnsatisfiedLinkError e) {
            // Another application in this JVM brought the same one at the same time.
            if (!String.valueOf(e.getMessage()).contains("already loaded")) {
                say(e.getMessage());
            }
        } catch (RuntimeException e) {
            // IllegalCallerException, unknown to Java 8, or a security manager's answer.
            say(e.getMessage() + "; allow it with --enable-native-access=ALL-UNNAMED");
        } finally {
            System.clearProperty(STARTING);
        }
    }

    /** The recorder came with the JVM, with another application, or to restore the objects of a test. */
    private static boolean isThere() {
        try {
            Class.forName("java.lang.$Recrash", false, null);
            return true;
        } catch (ClassNotFoundException none) {
            return false;
        }
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = Start.class.getResourceAsStream(FOLDER + name)) {
            return in == null ? null : Library.read(in);
        }
    }

    private static void say(String reason) {
        System.err.println("recrash: this program was instrumented but runs unwatched: " + reason);
    }
}
