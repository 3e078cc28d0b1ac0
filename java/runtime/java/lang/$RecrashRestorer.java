package java.lang;

/** Executes a restore plan: brings the objects of one captured frame back to life. */
public final class $RecrashRestorer {
    private $RecrashRestorer() {}

    /**
     * The receiver (null for static methods) and the arguments, boxed. Statics and thread locals of the plan are set as
     * a side effect. Throws IllegalStateException with a sentence for the user when the plan cannot be executed.
     */
    public static Object[] restore(byte[] plan, ClassLoader loader) {
        return new Object[0];
    }

    /** What differed from the captured state in this thread's last restore, one sentence each. */
    public static String[] notes() {
        return new String[0];
    }

    /** The method or constructor of a frame, callable whatever its access; arguments as {@link #restore} returns them. */
    public static Object invoke(Class<?> owner, String method, String descriptor, Object receiver, Object[] arguments)
            throws Throwable {
        return null;
    }
}
