package java.lang;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import jdk.internal.misc.Unsafe;

/**
 * Failures that do not end a thread, because something catches them there: which of them are worth a snapshot.
 *
 * <p>Most are not, having been seen before. To find that out takes no stack trace, no lock and no allocation.
 */
final class $RecrashHandledFailures {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long CAUSE = UNSAFE.objectFieldOffset(Throwable.class, "cause");
    private static final int LONGEST = 64;
    /** What is caught longer ago, in nanoseconds, is not why a request or the program ends now. */
    private static final long A_MOMENT = 2_000_000_000L;

    /** Of the request, not of the program: what frameworks throw at bad input and clients that went away. */
    private static final String[] OF_THE_REQUEST = {
        "org.springframework.web.",
        "org.springframework.http.",
        "org.springframework.security.",
        "jakarta.validation.",
        "javax.validation.",
        "org.apache.catalina.connector.ClientAbortException",
        "org.eclipse.jetty.io.EofException",
        "org.eclipse.jetty.io.QuietException",
        "org.eclipse.jetty.http.BadMessageException",
    };
    /** A test that says it cannot be run has not failed. */
    private static final String[] NOT_RUN = {
        "org.opentest4j.TestAbortedException",
        "org.opentest4j.TestSkippedException",
        "org.junit.AssumptionViolatedException",
        "org.junit.internal.AssumptionViolatedException",
        "org.testng.SkipException",
    };

    private static volatile int kinds = $RecrashFailureKind.UNCAUGHT;
    private static volatile boolean repeat;
    /** Second chance: a failure of which nothing was recorded tells what to watch. */
    private static volatile boolean watching;

    private $RecrashHandledFailures() {}

    /** Called by the agent: what it listens to from now on. */
    static void listen(int kinds, boolean repeat, boolean watching) {
        $RecrashHandledFailures.kinds = kinds;
        $RecrashHandledFailures.repeat = repeat;
        $RecrashHandledFailures.watching = watching;
    }

    static boolean hears(int kind) {
        return (kinds & kind) != 0;
    }

    /** A failure was caught on this thread a moment ago, if anything was. */
    static void caught(int kind) {
        if (!hears(kind) || !$RecrashAgent.listening()) {
            return;
        }
        $RecrashThread here = $RecrashThread.current();
        long earliest = System.nanoTime() - A_MOMENT;
        boolean ends = kind == $RecrashFailureKind.EXIT;
        // A program that failed before has said by now why it ends.
        if (here.capturing || ends && $RecrashReportedFailure.areThereSome()) {
            return;
        }
        $RecrashFrames latest =
                ends ? $RecrashThread.latestOwnAnywhere(here, earliest) : here.latestOwn(earliest);
        if (latest != null) {
            seen(kind, latest.get());
        }
    }

    static void seen(int kind, Object thrown) {
        if (!(thrown instanceof Throwable) || !hears(kind) || !$RecrashAgent.listening()) {
            return;
        }
        Throwable t = (Throwable) thrown;
        if (isExpected(kind, t)) {
            return;
        }
        if (kind == $RecrashFailureKind.TESTS) {
            $RecrashBorder.failed(t);
        }
        if (!$RecrashRateLimit.admits()) {
            return;
        }
        $RecrashThread here = $RecrashThread.current();
        if (here.capturing) {
            return;
        }
        long way = 0;
        long origin = 0;
        $RecrashFrames innermost = null;
        boolean isOwn = false;
        int length = 0;
        for (Throwable each = t; each != null && length < LONGEST; each = cause(each), length++) {
            way = $RecrashSeenPaths.step(way, each);
            $RecrashFrames frames = here.find(each);
            if (frames != null) {
                innermost = frames;
                origin = frames.origin(each);
                isOwn |= frames.isOwn();
                way = frames.way(way);
            }
        }
        length = 0;
        for (Throwable each = t; innermost == null && each != null && length < LONGEST; each = cause(each), length++) {
            innermost = $RecrashThread.findAnywhere(here, each);
            if (innermost != null) {
                origin = innermost.origin(each);
                isOwn = innermost.isOwn();
                way = innermost.way(way);
            }
        }
        if (innermost != null && !repeat && $RecrashSeenPaths.contains(way)) {
            $RecrashReportedFailure.addKnown(innermost, innermost.weight(), $RecrashFailureRank.of(kind));
            return;
        }
        if (innermost == null && !watching
                || kind == $RecrashFailureKind.PRINTED && $RecrashPrinter.isQuiet()) {
            return;
        }
        if (isOwn || $RecrashFailureRank.of(kind) > 1 || watching || concernsApplication(t)) {
            capture(t, kind, way, origin, null);
        }
    }

    /** What a library does to itself and tells nobody but a log or a future of is its own affair. */
    private static boolean concernsApplication(Throwable t) {
        if ($RecrashAgent.hearsLibraries()) {
            return true;
        }
        int length = 0;
        for (Throwable each = t; each != null && length < LONGEST; each = cause(each), length++) {
            StackTraceElement[] trace = $RecrashAgent.trace(each);
            for (int i = 0; trace != null && i < trace.length; i++) {
                if ($RecrashAgent.owns(trace[i].getClassName())) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Captures the failure unless it came the same way before, or too many were captured lately. {@code origin} tells it from
     * others whichever gates it passes.
     */
    static void capture(Throwable t, int kind, long way, long origin, $RecrashFrames begun) {
        if (!repeat && $RecrashSeenPaths.contains(way)) {
            return;
        }
        // The failures of tests come to an end by themselves.
        boolean isInTime = kind == $RecrashFailureKind.TESTS || $RecrashRateLimit.allows();
        if (isInTime && $RecrashFailure.recognised(Thread.currentThread(), t, kind, begun)) {
            $RecrashSeenPaths.add(way);
            $RecrashLetGo.captured(origin);
        } else if (!$RecrashFailure.isReported(t)) {
            $RecrashLetGo.add(origin);
        }
    }

    private static Throwable cause(Throwable t) {
        if (t.getClass() == InvocationTargetException.class) {
            return ((InvocationTargetException) t).getTargetException();
        }
        Throwable cause = (Throwable) UNSAFE.getReference(t, CAUSE);
        return cause == t ? null : cause;
    }

    private static boolean isExpected(int kind, Throwable t) {
        if (kind == $RecrashFailureKind.FUTURES) {
            return !isMistake(t);
        }
        if (kind == $RecrashFailureKind.DROPPED) {
            // Connections break, and tasks are given up.
            return t instanceof IOException || t instanceof CancellationException;
        }
        if (kind == $RecrashFailureKind.WEB) {
            return isNamedLike(t, OF_THE_REQUEST);
        }
        return isNamedLike(t, NOT_RUN);
    }

    /**
     * A future is a way to hand on results, and a checked exception is one of them: a file that is not there, a host that
     * does not answer. An unchecked one is a mistake in the task.
     */
    private static boolean isMistake(Throwable t) {
        Throwable inner = t;
        while ((inner.getClass() == CompletionException.class || inner.getClass() == ExecutionException.class)
                && cause(inner) != null) {
            inner = cause(inner);
        }
        return (inner instanceof RuntimeException || inner instanceof Error) && !(inner instanceof CancellationException);
    }

    private static boolean isNamedLike(Throwable t, String[] prefixes) {
        for (Class<?> type = t.getClass(); type != Throwable.class && type != null; type = type.getSuperclass()) {
            for (String prefix : prefixes) {
                if (type.getName().startsWith(prefix)) {
                    return true;
                }
            }
        }
        return false;
    }
}
