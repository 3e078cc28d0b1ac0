package recrash.junit;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The method that a frame calls, and what is around the call: what recrash's own tools send to a JVM instead of a
 * snapshot's file. The layout is that of {@code message.rs}.
 */
public final class Subject {
    private final String name;
    private final Manifest.Method method;
    private final String capturePoint;
    private final String thread;
    private final Environment environment;

    private Subject(DataInputStream in) throws IOException {
        name = text(in);
        method = new Manifest.Method(text(in), text(in), text(in), in.readInt());
        capturePoint = in.readBoolean() ? text(in) : null;
        thread = text(in);
        String locale = text(in);
        String timeZone = text(in);
        String charset = text(in);
        Map<String, String> properties = new LinkedHashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            properties.put(text(in), text(in));
        }
        String[] arguments = new String[in.readInt()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = text(in);
        }
        environment = new Environment(locale, timeZone, charset, properties, arguments);
    }

    public static Subject read(DataInputStream in) throws IOException {
        return new Subject(in);
    }

    /** The name of the thread that failed. */
    public String threadName() {
        return thread;
    }

    /** The frame that a restore plan brings back; its classes are looked up by {@code loader}. */
    public Frame frame(byte[] plan, ClassLoader loader) {
        return new Frame(name, () -> plan, loader, environment, capturePoint, method);
    }

    /** A length and so many bytes of UTF-8. */
    private static String text(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
