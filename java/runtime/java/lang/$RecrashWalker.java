package java.lang;

/** Turns object graphs into the heap part of a snapshot. One instance per snapshot; not thread-safe. */
final class $RecrashWalker {
    private final Thread failed;

    /** {@code failed} is the thread that failed; it is recognised when an object refers to it. */
    $RecrashWalker(int maxObjects, long maxBytes, int maxMillis, Thread failed) {
        this.failed = failed;
    }

    /** The id of an object, which is walked later by {@link #finish}; 0 for null. Roots first come, first served. */
    int root(Object o) {
        return 0;
    }

    /** Walks everything reachable from the roots; the heap part is the concatenation of the pieces. Call once. */
    byte[][] finish() {
        return new byte[0][];
    }

    /** After {@link #finish}: what the budgets cut, in the user's words; empty when the graph is whole. */
    String[] limits() {
        return new String[0];
    }
}
