package java.lang;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Makes the stack trace of a throwable part of its fields; until asked for, it lives inside the JVM. */
final class $RecrashTrace {
    private static final Method OUR_TRACE = $RecrashMemory.method(Throwable.class, "getOurStackTrace");

    private $RecrashTrace() {}

    static void materialise(Throwable t) {
        // The method locks the throwable; one that is locked already is left as it is, or we could wait for ever.
        if (OUR_TRACE == null || ($RecrashMemory.U.getLong(t, 0L) & 3) != 1) {
            return;
        }
        try {
            OUR_TRACE.invoke(t);
        } catch (IllegalAccessException | InvocationTargetException | RuntimeException kept) {
            // The throwable is captured without its trace; the manifest has the trace of those that matter.
        }
    }
}
