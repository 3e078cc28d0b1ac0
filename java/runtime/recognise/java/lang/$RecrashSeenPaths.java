package java.lang;

import jdk.internal.misc.Unsafe;

/** The paths by which handled failures came that were dealt with: a set of hashes that never grows beyond a bound. */
final class $RecrashSeenPaths {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long DEPTH = UNSAFE.objectFieldOffset(Throwable.class, "depth");
    private static final int SLOTS = 4096;
    private static final int MOST = SLOTS / 2;

    private static final long[] WAYS = new long[SLOTS];
    private static volatile int count;

    private $RecrashSeenPaths() {}

    /** The way on to a throwable: its type, and how deep the stack was. */
    static long step(long way, Throwable t) {
        return (way * 31 + t.getClass().getName().hashCode()) * 31 + UNSAFE.getInt(t, DEPTH);
    }

    /** Once there are too many, every way counts as known. */
    static boolean contains(long way) {
        return count >= MOST || WAYS[slot(way)] != 0;
    }

    static synchronized void add(long way) {
        int slot = slot(way);
        if (WAYS[slot] == 0 && count < MOST) {
            WAYS[slot] = way == 0 ? 1 : way;
            count++;
        }
    }

    /** Where the way is, or the free slot for it. */
    private static int slot(long way) {
        long wanted = way == 0 ? 1 : way;
        int slot = (int) ((wanted * 0x9E3779B97F4A7C15L) >>> 52);
        while (WAYS[slot] != 0 && WAYS[slot] != wanted) {
            slot = (slot + 1) % SLOTS;
        }
        return slot;
    }
}
