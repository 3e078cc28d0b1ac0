package java.lang;

/** The kinds of failures, by where they are recognised. */
final class $RecrashFailureKind {
    /** The agent knows these numbers, too. */
    static final int UNCAUGHT = 1;
    static final int LOGGED = 2;
    static final int FUTURES = 4;
    static final int WEB = 8;
    static final int TESTS = 16;
    static final int NAMED = 32;
    static final int POINT = 64;
    static final int ENTRY = 128;

    private $RecrashFailureKind() {}

    /** What weighs more replaces what was captured of the same failure before. */
    static int rank(int kind) {
        return kind == UNCAUGHT || kind == POINT || kind == ENTRY ? 3 : kind == WEB || kind == TESTS ? 2 : 1;
    }
}
