package recrash;

import java.util.Arrays;

/** Stands for a capture point where an exception would stand. Thrown in tests only, when they reach the point. */
public final class CapturePoint extends Error {
    private static final long serialVersionUID = 1;

    CapturePoint(String label, Throwable caught) {
        super(label, caught);
        StackTraceElement[] trace = getStackTrace();
        int own = 0;
        while (own < trace.length && trace[own].getClassName().equals("recrash.Recrash")) {
            own++;
        }
        setStackTrace(Arrays.copyOfRange(trace, own, trace.length));
    }
}
