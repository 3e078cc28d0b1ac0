package java.lang;

/** A capture point of the program, {@code recrash.Recrash.capture}: a failure without an exception that unwinds. */
final class $RecrashReachedPoint {
    /** The label that a test wants to see reached; null outside of tests, and in tests of other failures. */
    private static volatile String awaited;
    private static volatile boolean testing;

    private $RecrashReachedPoint() {}

    /** From now on this JVM runs tests: points are not captured, and the one with that label ends the test. */
    static void await(String label) {
        awaited = label;
        testing = true;
    }

    static void reached(Throwable point) throws Throwable {
        if (testing) {
            if (point.getMessage().equals(awaited)) {
                throw point;
            }
        } else if ($RecrashAgent.listening() && !$RecrashThread.current().capturing
                && $RecrashAgent.isNewPoint(way(point))) {
            try {
                $RecrashStack.record(point);
            } catch (Throwable trouble) {
                $RecrashAgent.say("the stack of capture point \"" + point.getMessage() + "\" cannot be read: "
                        + trouble.getClass().getName());
                return;
            }
            $RecrashFailure.recognised(Thread.currentThread(), point, $RecrashHandledFailures.POINT, null);
        }
    }

    /** Tells apart by which way the program came here: a point may be reached a thousand times a second. */
    private static long way(Throwable point) {
        long way = point.getMessage().hashCode();
        for (Throwable t = point; t != null; t = t == point ? point.getCause() : null) {
            StackTraceElement[] trace = $RecrashAgent.trace(t);
            for (int i = 0; trace != null && i < trace.length; i++) {
                way = way * 31 + trace[i].getClassName().hashCode();
                way = way * 31 + trace[i].getMethodName().hashCode();
                way = way * 31 + trace[i].getLineNumber();
            }
        }
        return way;
    }
}
