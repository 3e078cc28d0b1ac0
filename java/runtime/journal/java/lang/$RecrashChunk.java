package java.lang;

import jdk.internal.misc.Unsafe;

/** A piece of a {@link $RecrashJournal}: filled once from the start, never written again. */
final class $RecrashChunk {
    /** Entries: so many that beginning a chunk costs little beside filling it. */
    static final int SIZE = 512;

    /** By entry: whose place it is, null for static fields; then the old value where it is a reference or wide. */
    final Object[] objects = new Object[2 * SIZE];
    /** By entry: the place in the upper half, the old value in the lower one. What is not yet written is of no account. */
    final long[] data = (long[]) Unsafe.getUnsafe().allocateUninitializedArray(long.class, SIZE);
}
