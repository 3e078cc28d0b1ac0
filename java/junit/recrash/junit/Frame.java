package recrash.junit;

import java.nio.file.Path;

/**
 * One captured stack frame: the receiver and the arguments its method was called with.
 *
 * <p>The frame is restored once, by the first of {@link #restore}, {@link #receiver}, {@link #argument} and {@link
 * #invoke}. That sets the recorded locale, time zone and system properties of this JVM, the static fields of the
 * program's classes and the thread locals of the current thread. What it sets stays set until another frame is restored,
 * which starts from what was there before, or until {@link #putBack}.
 */
public final class Frame {
    private static final int NO_STATICS = 1;
    private static final int NO_PATCHES = 2;

    private final Path file;
    private final ClassLoader loader;
    private final Manifest manifest;
    private final Manifest.Method method;
    private final int index;
    private final int flags;
    /** What to restore; null for what the file and the flags say. */
    private final byte[] plan;
    /** The receiver, then the arguments; null before the frame is restored. */
    private Object[] values;
    /** Puts the environment back that was there before; null while it is there. */
    private Runnable environmentBefore;
    /** Null until there may be something to put back. */
    private RestoreRuntime runtime;

    Frame(Path file, ClassLoader loader, Manifest manifest, Manifest.Method method, int index, int flags,
            byte[] plan) {
        this.file = file;
        this.loader = loader;
        this.manifest = manifest;
        this.method = method;
        this.index = index;
        this.flags = flags;
        this.plan = plan;
    }

    /** This frame, restored by a plan of the caller's. */
    Frame from(byte[] plan) {
        return new Frame(file, loader, manifest, method, index, flags, plan);
    }

    /** This frame, but static fields and thread locals keep what class initialisation gives them. */
    public Frame withoutStatics() {
        return new Frame(file, loader, manifest, method, index, flags | NO_STATICS, plan);
    }

    /** This frame, but objects are as they were at the failure, not as they were when the method was entered. */
    public Frame withoutPatches() {
        return new Frame(file, loader, manifest, method, index, flags | NO_PATCHES, plan);
    }

    /** Brings the frame back to life unless that is done. */
    public Frame restore() {
        if (values == null) {
            environmentBefore = manifest.environment.apply();
            runtime = RestoreRuntime.open();
            byte[] bytes = plan != null ? plan : Native.plan(file.toString(), index, flags);
            values = runtime.restore(toString(), manifest.capturePoint, bytes, loader);
        }
        return this;
    }

    /**
     * Gives this JVM back what {@link #restore} replaced: static fields, live objects behind them, thread locals of this
     * thread, locale, time zone, system properties. The frame's own objects live on.
     */
    public void putBack() {
        if (environmentBefore != null) {
            environmentBefore.run();
            environmentBefore = null;
        }
        if (runtime != null) {
            runtime.putBack();
            runtime = null;
        }
    }

    /** Restores the frame; what differs here from where it was captured, one sentence each. */
    String[] fit() {
        try {
            restore();
        } catch (SnapshotException e) {
            // That its class is missing says more than that an object of it is.
            owner();
            throw e;
        }
        owner();
        return RestoreRuntime.open().notes();
    }

    /**
     * The object the method was called on; null for static methods. For a constructor it is the object under
     * construction, as far as it was built.
     */
    @SuppressWarnings("unchecked")
    public <T> T receiver() {
        return (T) restore().values[0];
    }

    /** An argument as it was on entry, the first being 0. Primitive values are boxed. */
    @SuppressWarnings("unchecked")
    public <T> T argument(int number) {
        int count = restore().values.length - 1;
        if (number < 0 || number >= count) {
            throw new SnapshotException(this + " has " + count + " arguments, there is no argument " + number);
        }
        return (T) values[number + 1];
    }

    /**
     * Calls the captured method with the captured receiver and arguments, whatever its access, and returns its result.
     * It is exactly the method that was on the stack, not one that overrides it. A constructor makes a new object and
     * returns it, a static initialiser initialises its class. What the method throws is thrown as it is, checked
     * exceptions included.
     */
    @SuppressWarnings("unchecked")
    public <T> T invoke() {
        restore();
        Class<?> owner = owner();
        Object receiver = method.isStatic() ? null : values[0];
        String refusal = RestoreRuntime.open().refusal(owner, method, receiver);
        if (refusal != null) {
            throw new SnapshotException(this + " cannot be called: " + refusal);
        }
        Object[] arguments = new Object[values.length - 1];
        System.arraycopy(values, 1, arguments, 0, arguments.length);
        return (T) RestoreRuntime.open().invoke(owner, method, receiver, arguments);
    }

    private Class<?> owner() {
        try {
            return Class.forName(method.owner, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            String refused = RestoreRuntime.open().noteAbout(method.owner);
            if (refused != null) {
                throw new SnapshotException(this + " cannot be called: " + refused, e);
            }
            throw new SnapshotException(method.owner + " is not on the class path, but " + this
                    + " needs it; put the jar that ran on the class path", e);
        }
    }

    @Override
    public String toString() {
        return "frame " + index + " of " + file.getFileName() + " (" + method + ")";
    }
}
