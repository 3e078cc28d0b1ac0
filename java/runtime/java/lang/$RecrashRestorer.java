package java.lang;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** Executes a restore plan: brings the objects of one captured frame back to life. */
public final class $RecrashRestorer {
    private static final ThreadLocal<String[]> NOTES = new ThreadLocal<>();

    private $RecrashRestorer() {}

    /**
     * The receiver (null for static methods) and the arguments, boxed. Statics and thread locals of the plan are set as
     * a side effect. Throws IllegalStateException with a sentence for the user when the plan cannot be executed.
     */
    public static Object[] restore(byte[] plan, ClassLoader loader) {
        $RecrashNotes notes = new $RecrashNotes();
        NOTES.remove();
        $RecrashFields.anyLoader = true;
        try {
            return new $RecrashRevival(new $RecrashPlan(plan), loader, notes).run();
        } finally {
            NOTES.set(notes.sentences());
        }
    }

    /** What differed from the captured state in this thread's last restore, one sentence each. */
    public static String[] notes() {
        String[] notes = NOTES.get();
        return notes == null ? new String[0] : notes.clone();
    }

    /**
     * Calls exactly the given method, whatever its access and whatever overrides it; constructors are called on a new
     * object, and {@code <clinit>} by initialising the class. Exceptions arrive as they were thrown.
     */
    public static Object invoke(Class<?> owner, String method, String descriptor, Object receiver, Object[] arguments)
            throws Throwable {
        if (method.equals("<clinit>")) {
            try {
                $RecrashMemory.U.ensureClassInitialized(owner);
            } catch (ExceptionInInitializerError failed) {
                throw failed.getCause() == null ? failed : failed.getCause();
            }
            return null;
        }
        MethodHandles.Lookup lookup = $RecrashMemory.trustedLookup().in(owner);
        MethodType type = MethodType.fromMethodDescriptorString(descriptor, owner.getClassLoader());
        if (method.equals("<init>")) {
            return lookup.findConstructor(owner, type).asFixedArity().invokeWithArguments(arguments);
        }
        MethodHandle handle = receiver == null && isStatic(owner, method, type)
                ? lookup.findStatic(owner, method, type)
                : lookup.findSpecial(owner, method, type, owner).bindTo(receiver);
        return handle.asFixedArity().invokeWithArguments(arguments);
    }

    private static boolean isStatic(Class<?> owner, String name, MethodType type) throws NoSuchMethodException {
        Method method = owner.getDeclaredMethod(name, type.parameterArray());
        return Modifier.isStatic(method.getModifiers());
    }
}
