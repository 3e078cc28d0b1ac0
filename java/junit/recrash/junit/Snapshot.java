package recrash.junit;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A captured failure: the stack frames of a crash with the objects they worked on.
 *
 * <pre>{@code
 * Snapshot crash = Snapshot.load(OrderTest.class, "NullPointerException-1a2b3c4d5e6f7081.recrash");
 * Frame frame = crash.frame(1);
 * Order order = frame.receiver();      // alive again, with everything it refers to
 * order.total(frame.argument(0));      // fails as it did when it was captured
 * }</pre>
 *
 * Loading a snapshot runs none of the program's code. Restoring a frame does: it initialises the classes it needs.
 */
public final class Snapshot {
    private final Path file;
    private final ClassLoader loader;
    private final Manifest manifest;

    private Snapshot(Path file, ClassLoader loader, Manifest manifest) {
        this.file = file;
        this.loader = loader;
        this.manifest = manifest;
    }

    /**
     * The snapshot {@code name} that lies beside the test: as a resource of its package, in the folder that the system
     * property {@code recrash.snapshots} names, or under {@code src/test}. Classes are those of the test's class loader.
     */
    public static Snapshot load(Class<?> test, String name) {
        String folder = test.getName().replace('.', '/');
        folder = folder.substring(0, folder.lastIndexOf('/') + 1);
        List<Path> places = new ArrayList<>();
        String named = System.getProperty("recrash.snapshots");
        if (named != null) {
            places.add(Paths.get(named, name));
            places.add(Paths.get(named, folder + name));
        }
        for (Path place : places) {
            if (Files.isRegularFile(place)) {
                return open(place, test.getClassLoader());
            }
        }
        URL resource = test.getResource(name);
        if (resource == null) {
            resource = test.getResource("/" + name);
        }
        if (resource != null) {
            return open(local(resource, name), test.getClassLoader());
        }
        for (String root : new String[] {"src/test/resources/", "src/test/java/", "src/test/kotlin/", ""}) {
            for (String place : new String[] {root + folder + name, root + name}) {
                if (Files.isRegularFile(Paths.get(place))) {
                    return open(Paths.get(place), test.getClassLoader());
                }
            }
        }
        throw new SnapshotException(name + " is not beside " + test.getName() + ": put it into src/test/resources/"
                + folder + " or name its folder with -Drecrash.snapshots=FOLDER");
    }

    /** The snapshot in {@code file}; its classes are looked up by {@code loader}. */
    public static Snapshot open(Path file, ClassLoader loader) {
        return new Snapshot(file, loader, Manifest.read(file));
    }

    /** The innermost frame that was captured. */
    public Frame innermost() {
        int index;
        try {
            index = manifest.innermost();
        } catch (IllegalArgumentException e) {
            throw damaged(e);
        }
        if (index < 0) {
            throw new SnapshotException(file + " has no captured frame");
        }
        return frame(index);
    }

    /** A captured frame, 0 being the innermost. Its objects come to life when they are asked for. */
    public Frame frame(int index) {
        Manifest.Method method;
        try {
            method = manifest.forFrame(index, file).method(index);
        } catch (IllegalArgumentException e) {
            throw damaged(e);
        }
        if (method == null) {
            throw new SnapshotException(file + " has no captured frame " + index + "; `recrash show " + file
                    + "` lists its frames");
        }
        String name = "frame " + index + " of " + file.getFileName();
        return new Frame(name, new Plan.OfFile(file, index, 0), loader, manifest.environment, manifest.capturePoint,
                method);
    }

    /** The same snapshot, its classes looked up by another class loader. */
    public Snapshot in(ClassLoader loader) {
        return new Snapshot(file, loader, manifest);
    }

    private SnapshotException damaged(IllegalArgumentException fault) {
        return new SnapshotException(file + " is damaged: " + fault.getMessage(), fault);
    }

    /** The name of the thread that failed. */
    public String threadName() {
        return manifest.threadName;
    }

    @Override
    public String toString() {
        return file + ": " + manifest.exception;
    }

    /** Snapshots inside a jar are copied out, because they are read by native code. */
    private static Path local(URL resource, String name) {
        try {
            if ("file".equals(resource.getProtocol())) {
                return new File(new URI(resource.toString())).toPath();
            }
            Path copy = Files.createTempFile("recrash", ".recrash");
            copy.toFile().deleteOnExit();
            try (InputStream in = resource.openStream()) {
                Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
            }
            return copy;
        } catch (IOException | URISyntaxException e) {
            throw new SnapshotException(name + " cannot be read from " + resource + ": " + e.getMessage(), e);
        }
    }
}
