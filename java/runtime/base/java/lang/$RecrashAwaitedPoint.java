package java.lang;

/** The capture point that a test wants to see reached. */
final class $RecrashAwaitedPoint {
    /** Its label; null outside of tests, and in tests of other failures. */
    private static volatile String awaited;
    private static volatile boolean testing;

    private $RecrashAwaitedPoint() {}

    /** From now on this JVM runs tests: points are not captured, and the one with that label ends the test. */
    static void await(String label) {
        awaited = label;
        testing = true;
    }

    static boolean isTesting() {
        return testing;
    }

    static boolean has(String label) {
        return label.equals(awaited);
    }
}
