package recrash.junit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Locale;

/** A native library that travels inside a jar, unpacked to where the JVM can load it from. */
final class Library {
    private Library() {}

    /** As folders in our jars are named, {@code linux-x86_64}. */
    static String platform() {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch", "");
        return (os.contains("linux") ? "linux" : os.contains("mac") ? "macos" : os.replace(' ', '-')) + "-"
                + (arch.equals("amd64") ? "x86_64" : arch);
    }

    /** A file with these bytes, in the cache folder if that can be written. The name must tell versions apart. */
    static Path unpack(byte[] bytes, String name) throws IOException {
        Path folder = cacheFolder();
        if (folder == null) {
            return temporary(bytes);
        }
        Path cached = folder.resolve(name);
        return isCopy(cached, bytes) ? cached : write(cached, bytes);
    }

    /** Null where the user has no home: in a container the JVM then calls it "?". */
    private static Path cacheFolder() {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path folder = cache != null && !cache.isEmpty()
                ? Paths.get(cache, "recrash", "native")
                : Paths.get(System.getProperty("user.home", ""), ".cache", "recrash", "native");
        return folder.isAbsolute() ? folder : null;
    }

    /** Compared byte by byte: a torn or foreign file must never be loaded. */
    private static boolean isCopy(Path file, byte[] bytes) {
        try {
            return Files.isRegularFile(file) && Files.size(file) == bytes.length
                    && Arrays.equals(Files.readAllBytes(file), bytes);
        } catch (IOException e) {
            return false;
        }
    }

    private static Path write(Path cached, byte[] bytes) throws IOException {
        try {
            Files.createDirectories(cached.getParent());
            Path part = Files.createTempFile(cached.getParent(), "librecrash", ".part");
            Files.write(part, bytes);
            return Files.move(part, cached, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            return temporary(bytes);
        }
    }

    /** No home, or a read-only one: a file for this JVM alone. */
    private static Path temporary(byte[] bytes) throws IOException {
        Path file = Files.createTempFile("librecrash", ".so");
        file.toFile().deleteOnExit();
        return Files.write(file, bytes);
    }

    static byte[] read(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[1 << 16];
        for (int count; (count = in.read(buffer)) > 0; ) {
            bytes.write(buffer, 0, count);
        }
        return bytes.toByteArray();
    }
}
