package java.lang;

/** The failures that were not captured because too many came at once, each counted once, by what it is and where it came from. */
final class $RecrashLetGo {
    private static final int MOST = 256;
    private static final long[] ORIGINS = new long[MOST];
    private static int count;

    private $RecrashLetGo() {}

    static synchronized void add(long origin) {
        if (count < MOST && find(origin) == count) {
            ORIGINS[count++] = origin;
        }
    }

    /** It came again, and was captured. */
    static synchronized void remove(long origin) {
        int at = find(origin);
        if (at < count) {
            ORIGINS[at] = ORIGINS[--count];
        }
    }

    static synchronized int count() {
        return count;
    }

    private static int find(long origin) {
        int at = 0;
        while (at < count && ORIGINS[at] != origin) {
            at++;
        }
        return at;
    }
}
