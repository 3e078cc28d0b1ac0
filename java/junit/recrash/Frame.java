package recrash;

/** One captured stack frame, alive: the receiver and the arguments its method was called with. */
public final class Frame {
    private final String what;
    private final Manifest.Method method;
    private final ClassLoader loader;
    private final Object[] values;

    Frame(String what, Manifest.Method method, ClassLoader loader, Object[] values) {
        this.what = what;
        this.method = method;
        this.loader = loader;
        this.values = values;
    }

    /**
     * The object the method was called on; null for static methods. For a constructor it is the object under
     * construction, as far as it was built.
     */
    @SuppressWarnings("unchecked")
    public <T> T receiver() {
        return (T) values[0];
    }

    /** An argument as it was on entry, the first being 0. Primitive values are boxed. */
    @SuppressWarnings("unchecked")
    public <T> T argument(int index) {
        if (index < 0 || index >= values.length - 1) {
            throw new SnapshotException(what + " has " + (values.length - 1) + " arguments, there is no argument " + index);
        }
        return (T) values[index + 1];
    }

    /**
     * Calls the captured method with the captured receiver and arguments, whatever its access, and returns its result.
     * It is exactly the method that was on the stack, not one that overrides it. A constructor makes a new object and
     * returns it, a static initialiser initialises its class. What the method throws is thrown as it is, checked
     * exceptions included.
     */
    @SuppressWarnings("unchecked")
    public <T> T invoke() {
        Class<?> owner;
        try {
            owner = Class.forName(method.owner, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new SnapshotException(method.owner + " is not on the class path, but " + what
                    + " needs it; put the jar that ran on the class path", e);
        }
        Object receiver = method.isStatic() ? null : values[0];
        String refusal = Door.open().refusal(owner, method, receiver);
        if (refusal != null) {
            throw new SnapshotException(what + " cannot be called: " + refusal);
        }
        Object[] arguments = new Object[values.length - 1];
        System.arraycopy(values, 1, arguments, 0, arguments.length);
        return (T) Door.open().invoke(owner, method, receiver, arguments);
    }

    @Override
    public String toString() {
        return what;
    }
}
