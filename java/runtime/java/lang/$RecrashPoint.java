package java.lang;

/** A capture point of the program, {@code recrash.Recrash.capture}: a failure without an exception that unwinds. */
final class $RecrashPoint {
    /** The label that a test wants to see reached; null outside of tests, and in tests of other failures. */
    private static volatile String awaited;
    private static volatile boolean testing;

    private $RecrashPoint() {}

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
        } else if ($RecrashAgent.listening() && !$RecrashThread.current().capturing) {
            $RecrashStack.record(point);
            $RecrashFailure.uncaught(Thread.currentThread(), point);
        }
    }
}
