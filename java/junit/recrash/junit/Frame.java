package recrash.junit;

/**
 * One captured stack frame: the receiver and the arguments its method was called with.
 *
 * <p>The frame is restored once, by the first of {@link #restore}, {@link #receiver}, {@link #argument} and {@link
 * #invoke}. That sets the recorded locale, time zone and system properties of this JVM, the static fields of the
 * program's classes and the thread locals of the current thread. What it sets stays set until another frame is restored,
 * which starts from what was there before, or until {@link #putBack}.
 */
public final class Frame {
    /** What sentences call it. */
    private final String name;
    private final Plan plan;
    private final ClassLoader loader;
    private final Environment environment;
    /** The label of the capture point that was captured; null for an exception. */
    private final String capturePoint;
    private final Manifest.Method method;
    /** The receiver, then the arguments; null before the frame is restored. */
    private Object[] values;
    /** Puts the environment back that was there before; null while it is there. */
    private Runnable environmentBefore;
    /** Null until there may be something to put back. */
    private RestoreRuntime runtime;

    Frame(String name, Plan plan, ClassLoader loader, Environment environment, String capturePoint,
            Manifest.Method method) {
        this.name = name;
        this.plan = plan;
        this.loader = loader;
        this.environment = environment;
        this.capturePoint = capturePoint;
        this.method = method;
    }

    /** This frame, but static fields and thread locals keep what class initialisation gives them. */
    public Frame withoutStatics() {
        return new Frame(name, plan.withoutStatics(), loader, environment, capturePoint, method);
    }

    /** This frame, but objects are as they were at the failure, not as they were when the method was entered. */
    public Frame withoutPatches() {
        return new Frame(name, plan.withoutPatches(), loader, environment, capturePoint, method);
    }

    /** Brings the frame back to life unless that is done. */
    public Frame restore() {
        if (values == null) {
            environmentBefore = environment.apply();
            runtime = RestoreRuntime.open();
            values = runtime.restore(toString(), capturePoint, plan.bytes(), loader);
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
        return name + " (" + method + ")";
    }
}
