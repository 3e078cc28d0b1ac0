package java.lang;

/** The failures that were not captured because too many came at once, each counted once, by the way it came. */
final class $RecrashLetGo {
    private static final int MOST = 256;
    private static final long[] WAYS = new long[MOST];
    private static int count;

    private $RecrashLetGo() {}

    static synchronized void add(long way) {
        if (count < MOST && find(way) == count) {
            WAYS[count++] = way;
        }
    }

    /** It came again, and was captured. */
    static synchronized void remove(long way) {
        int at = find(way);
        if (at < count) {
            WAYS[at] = WAYS[--count];
        }
    }

    static synchronized int count() {
        return count;
    }

    private static int find(long way) {
        int at = 0;
        while (at < count && WAYS[at] != way) {
            at++;
        }
        return at;
    }
}
