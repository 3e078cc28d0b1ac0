package java.lang;

/**
 * The failures that were not captured because too many came at once, each counted once, by what it is and where it came from.
 * Those that were captured another time do not count.
 */
final class $RecrashLetGo {
    private static final int MOST = 256;
    private static final long[] ORIGINS = new long[MOST];
    private static final boolean[] CAPTURED = new boolean[MOST];
    private static int known;

    private $RecrashLetGo() {}

    static synchronized void add(long origin) {
        slot(origin);
    }

    static synchronized void captured(long origin) {
        int slot = slot(origin);
        if (slot < MOST) {
            CAPTURED[slot] = true;
        }
    }

    static synchronized int count() {
        int count = 0;
        for (int i = 0; i < known; i++) {
            count += CAPTURED[i] ? 0 : 1;
        }
        return count;
    }

    /** Where the origin is, or is put; beyond the last slot when there are too many. */
    private static int slot(long origin) {
        int at = 0;
        while (at < known && ORIGINS[at] != origin) {
            at++;
        }
        if (at == known && known < MOST) {
            ORIGINS[known++] = origin;
        }
        return at;
    }
}
