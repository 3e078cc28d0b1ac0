package recrash.junit;

import java.util.Map;

/**
 * The method that a frame calls, and what is around the call: what recrash's own tools say of a frame instead of naming a
 * snapshot's file.
 */
public final class Subject {
    private final String name;
    private final String thread;
    private Manifest.Method method;
    private String capturePoint;
    private Environment environment;

    /** Sentences call the frame by that name; the thread that failed had the other one. */
    public Subject(String name, String thread) {
        this.name = name;
        this.thread = thread;
    }

    public Subject method(String owner, String name, String descriptor, int access) {
        method = new Manifest.Method(owner, name, descriptor, access);
        return this;
    }

    /** The label of the capture point that the call has to reach; null for an exception. */
    public Subject capturePoint(String label) {
        capturePoint = label;
        return this;
    }

    public Subject surroundings(
            String locale, String timeZone, String charset, Map<String, String> properties, String[] jvmArguments) {
        environment = new Environment(locale, timeZone, charset, properties, jvmArguments);
        return this;
    }

    /** The name of the thread that failed. */
    public String threadName() {
        return thread;
    }

    /** The number that a throwable has in the snapshot last restored in this thread; 0 for one that was made since. */
    public static int restored(Throwable throwable) {
        return RestoreRuntime.open().restored(throwable);
    }

    /** The frame that a restore plan brings back; its classes are looked up by {@code loader}. */
    public Frame frame(byte[] plan, ClassLoader loader) {
        return new Frame(name, () -> plan, loader, environment, capturePoint, method);
    }
}
