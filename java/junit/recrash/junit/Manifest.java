package recrash.junit;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

/** What a test needs of a snapshot's {@code manifest.json}: its methods and its environment. */
final class Manifest {
    private static final String NAME = "manifest.json";
    private static final long FORMAT = 1;
    private static final int ACC_STATIC = 0x0008;
    /** Larger manifests do not come from recrash. */
    private static final int LIMIT = 256 << 20;

    final String exception;
    /** The label of the capture point that was captured; null for an exception. */
    final String capturePoint;
    final String threadName;
    final Environment environment;
    private final List<Object> frames;

    private Manifest(Map<String, Object> json) {
        List<Object> throwables = Json.list(json.get("throwables"));
        exception = throwables.isEmpty() ? "no exception" : Json.string(Json.map(throwables.get(0)).get("class"));
        boolean isPoint = exception.equals("recrash.CapturePoint");
        capturePoint = isPoint ? Json.string(Json.map(throwables.get(0)).get("message")) : null;
        threadName = Json.string(Json.map(json.get("thread")).get("name"));
        environment = Environment.of(Json.map(json.get("environment")));
        frames = Json.list(json.get("frames"));
    }

    /** A method that was on the stack. */
    static final class Method {
        final String owner;
        final String name;
        final String descriptor;
        private final int access;

        Method(String owner, String name, String descriptor, int access) {
            this.owner = owner;
            this.name = name;
            this.descriptor = descriptor;
            this.access = access;
        }

        private static Method of(Map<String, Object> element, Map<String, Object> captured) {
            return new Method(Json.string(element.get("class")), Json.string(element.get("method")),
                    Json.string(captured.get("descriptor")), (int) Json.number(captured.get("access")));
        }

        boolean isStatic() {
            return (access & ACC_STATIC) != 0;
        }

        @Override
        public String toString() {
            return owner + "." + name;
        }
    }

    /** The method of a frame; null when there is no such frame or it was not captured. */
    Method method(int frame) {
        if (frame < 0 || frame >= frames.size()) {
            return null;
        }
        Map<String, Object> info = Json.map(frames.get(frame));
        Object captured = info.get("captured");
        return captured == null ? null : Method.of(Json.map(info.get("element")), Json.map(captured));
    }

    /** The number of the innermost captured frame; -1 when there is none. */
    int innermost() {
        int frame = 0;
        while (frame < frames.size() && method(frame) == null) {
            frame++;
        }
        return frame < frames.size() ? frame : -1;
    }

    static Manifest read(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new SnapshotException(file + " does not exist");
        }
        try (ZipFile zip = new ZipFile(file.toFile())) {
            ZipEntry entry = zip.getEntry(NAME);
            if (entry == null) {
                throw new SnapshotException(file + " is not a snapshot: it has no " + NAME);
            }
            try (InputStream in = zip.getInputStream(entry)) {
                return parse(file, in);
            }
        } catch (IOException | IllegalArgumentException e) {
            throw damaged(file, e);
        }
    }

    /** What counts for a frame: the manifest of the second look at it, where the file has one, else this one. */
    Manifest forFrame(int frame, Path file) {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            ZipEntry look = zip.getEntry("looks/" + frame + ".recrash");
            if (look == null) {
                return this;
            }
            try (ZipInputStream inside = new ZipInputStream(zip.getInputStream(look))) {
                for (ZipEntry entry; (entry = inside.getNextEntry()) != null; ) {
                    if (entry.getName().equals(NAME)) {
                        return parse(file, inside);
                    }
                }
            }
            throw new SnapshotException(file + " is damaged: its second look at frame " + frame + " has no " + NAME);
        } catch (IOException | IllegalArgumentException e) {
            throw damaged(file, e);
        }
    }

    private static Manifest parse(Path file, InputStream in) throws IOException {
        Map<String, Object> json = Json.map(Json.parse(text(file, new InputStreamReader(in, StandardCharsets.UTF_8))));
        long format = Json.number(json.get("format"));
        if (format != FORMAT) {
            throw new SnapshotException(file + " has format " + format + ", this recrash-junit.jar reads format "
                    + FORMAT + "; use the jar of the recrash that made it");
        }
        return new Manifest(json);
    }

    private static SnapshotException damaged(Path file, Exception cause) {
        return new SnapshotException(file + " is not a snapshot or is damaged: " + cause.getMessage(), cause);
    }

    private static String text(Path file, Reader reader) throws IOException {
        StringBuilder text = new StringBuilder();
        char[] buffer = new char[1 << 14];
        for (int count; (count = reader.read(buffer)) > 0; ) {
            text.append(buffer, 0, count);
            if (text.length() > LIMIT) {
                throw new SnapshotException(file + " is refused: its manifest is larger than " + LIMIT + " characters");
            }
        }
        return text.toString();
    }
}
