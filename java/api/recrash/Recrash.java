package recrash;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Capture points: places where a program knows that something is wrong although nothing is thrown.
 *
 * <pre>{@code
 * if (total != sum(lines)) {
 *     Recrash.capture("total differs from its lines");
 * }
 * }</pre>
 *
 * With recrash watching, the frames on the stack become a snapshot, as they would at a crash, and the program goes on.
 * Without it nothing happens. In a test made from the snapshot, reaching the point again throws {@link CapturePoint}.
 */
public final class Recrash {
    private static final long AGAIN = 1_000_000_000L;

    /** {@code java.lang.$Recrash.capture}, once it is there: it may come after this class. */
    private static volatile Method capture;
    private static volatile boolean sought;
    private static volatile long soughtAt;

    private Recrash() {}

    /** Captures the stack under a label that names the point. */
    public static void capture(String label) {
        if (isWatched()) {
            hand(new CapturePoint(String.valueOf(label), null));
        }
    }

    /** Captures an exception that was caught, with the frames it has passed and those on the stack. */
    public static void capture(Throwable caught) {
        if (caught != null && isWatched()) {
            hand(new CapturePoint(caught.getClass().getName(), caught));
        }
    }

    private static boolean isWatched() {
        if (capture != null) {
            return true;
        }
        long now = System.nanoTime();
        if (sought && now - soughtAt < AGAIN) {
            return false;
        }
        soughtAt = now;
        sought = true;
        try {
            capture = Class.forName("java.lang.$Recrash", true, null).getMethod("capture", Throwable.class);
        } catch (ReflectiveOperationException | LinkageError | RuntimeException absent) {
            return false;
        }
        return true;
    }

    private static void hand(CapturePoint point) {
        try {
            capture.invoke(null, point);
        } catch (InvocationTargetException e) {
            if (e.getCause() == point) {
                throw point;
            }
        } catch (IllegalAccessException | RuntimeException e) {
            // The program goes on whatever becomes of the snapshot.
        }
    }
}
