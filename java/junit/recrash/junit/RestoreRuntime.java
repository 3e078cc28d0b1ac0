package recrash.junit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** The way to the classes that the native library defines inside java.lang: they cannot be named at compile time. */
final class RestoreRuntime {
    private static RestoreRuntime open;

    private final Method restore;
    private final Method await;
    private final Method putBack;
    private final Method notes;
    private final Method restored;
    private final Method refusal;
    private final Method invoke;

    private RestoreRuntime() {
        restore = find("$RecrashRestorer", "restore", byte[].class, ClassLoader.class);
        await = find("$RecrashRestorer", "await", String.class);
        putBack = find("$RecrashRestorer", "putBack");
        notes = find("$RecrashRestorer", "notes");
        restored = find("$RecrashRestorer", "restored", Throwable.class);
        refusal = find("$RecrashFrameCall", "refusal", Class.class, String.class, String.class, Object.class);
        invoke = find("$RecrashFrameCall", "invoke", Class.class, String.class, String.class, Object.class, Object[].class);
    }

    /** Loads the library at first; not in a static initialiser, which would wrap the sentence that says what failed. */
    static synchronized RestoreRuntime open() {
        if (open == null) {
            Native.load();
            open = new RestoreRuntime();
        }
        return open;
    }

    private static Method find(String type, String method, Class<?>... parameters) {
        try {
            return Class.forName("java.lang." + type, true, null).getMethod(method, parameters);
        } catch (ReflectiveOperationException e) {
            throw new SnapshotException("the recrash library did not set itself up in this JVM (" + e
                    + "); use a JVM based on OpenJDK 17 or newer", e);
        }
    }

    Object[] restore(String what, String capturePoint, byte[] plan, ClassLoader loader) {
        try {
            await.invoke(null, capturePoint);
            return (Object[]) restore.invoke(null, plan, loader);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            String reason = cause instanceof IllegalStateException ? cause.getMessage() : cause.toString();
            throw new SnapshotException(what + " cannot be restored: " + reason, cause);
        } catch (IllegalAccessException e) {
            throw new SnapshotException(what + " cannot be restored: " + e, e);
        }
    }

    /** What this thread's last restore said about a class that travels with the snapshot; null when nothing. */
    String noteAbout(String type) {
        for (String note : notes()) {
            if (note.startsWith("class " + type + ", ")) {
                return note;
            }
        }
        return null;
    }

    /** What differed from the captured state in this thread's last restore. */
    String[] notes() {
        try {
            return (String[]) notes.invoke(null);
        } catch (ReflectiveOperationException e) {
            // Then there is nothing to add to what the caller says.
            return new String[0];
        }
    }

    /** The object of the snapshot that a throwable is after this thread's last restore; 0 when it is none. */
    int restored(Throwable throwable) {
        try {
            return (Integer) restored.invoke(null, throwable);
        } catch (ReflectiveOperationException e) {
            // Then nothing speaks against it having been made anew.
            return 0;
        }
    }

    /** Undoes what the last restore did to the static state of this JVM. */
    void putBack() {
        try {
            putBack.invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new SnapshotException("what the snapshot replaced cannot be put back: " + e.getCause(), e);
        }
    }

    String refusal(Class<?> owner, Manifest.Method method, Object receiver) {
        try {
            return (String) refusal.invoke(null, owner, method.name, method.descriptor, receiver);
        } catch (ReflectiveOperationException e) {
            return String.valueOf(e.getCause());
        }
    }

    Object invoke(Class<?> owner, Manifest.Method method, Object receiver, Object[] arguments) {
        try {
            return invoke.invoke(null, owner, method.name, method.descriptor, receiver, arguments);
        } catch (InvocationTargetException e) {
            throw RestoreRuntime.<RuntimeException>unchecked(e.getCause());
        } catch (IllegalAccessException e) {
            throw new SnapshotException(method + " cannot be called: " + e, e);
        }
    }

    /** Lets a checked exception pass where none is declared: a test should see what the method threw and nothing else. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E unchecked(Throwable throwable) throws E {
        throw (E) throwable;
    }
}
