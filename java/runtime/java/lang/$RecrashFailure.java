package java.lang;

/** A failure: recognised, described, handed to the agent to be written down. */
final class $RecrashFailure {
    private $RecrashFailure() {}

    static void uncaught(Thread thread, Throwable t) {}
}
