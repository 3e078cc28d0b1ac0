package java.lang;

/** The weights of the kinds of failures. */
final class $RecrashFailureRank {
    private $RecrashFailureRank() {}

    /** What weighs more replaces what was captured of the same failure before. */
    static int of(int kind) {
        if (kind == $RecrashFailureKind.UNCAUGHT || kind == $RecrashFailureKind.POINT || kind == $RecrashFailureKind.ENTRY) {
            return 3;
        }
        return kind == $RecrashFailureKind.WEB || kind == $RecrashFailureKind.TESTS ? 2 : 1;
    }
}
