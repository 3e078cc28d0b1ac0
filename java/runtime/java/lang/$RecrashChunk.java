package java.lang;

/** A piece of a {@link $RecrashJournal}: filled once from the start, never written again. */
final class $RecrashChunk {
    /** Of array places; each entry takes two. */
    static final int SIZE = 256;

    /** By entry: whose place it is, null for static fields; then the old value where it is a reference. */
    final Object[] objects = new Object[SIZE];
    /** By entry: the place, then the old value where it is primitive. */
    final long[] data = new long[SIZE];
}
