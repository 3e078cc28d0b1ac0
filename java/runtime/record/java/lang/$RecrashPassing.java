package java.lang;

/**
 * The exceptions that left code of the program, counted by their type and the first method they left: for the end, when none
 * of them became a failure and somebody asks why. Bounded, and without a lock: a count may be lost.
 */
final class $RecrashPassing {
    private static final int SLOTS = 1024;
    private static final int MOST = SLOTS / 2;
    private static final int NOWHERE = -1;
    private static final $RecrashPassing[] KNOWN = new $RecrashPassing[SLOTS];
    private static volatile int known;

    private final String type;
    private final int site;
    private final boolean isUnchecked;
    private int count;
    private long latest;
    /** The first method of the application that it left. */
    private int own = NOWHERE;

    private $RecrashPassing(Throwable t, int site) {
        type = t.getClass().getName();
        this.site = site;
        isUnchecked = t instanceof RuntimeException || t instanceof Error;
    }

    /** Null when there are too many others. */
    static $RecrashPassing count(Throwable t, int site, long now) {
        String type = t.getClass().getName();
        int slot = ((type.hashCode() * 31 + site) * 0x9E3779B9 >>> 22) % SLOTS;
        $RecrashPassing passing = KNOWN[slot];
        while (passing != null && (passing.site != site || passing.type != type)) {
            slot = (slot + 1) % SLOTS;
            passing = KNOWN[slot];
        }
        if (passing == null) {
            if (known >= MOST) {
                return null;
            }
            passing = new $RecrashPassing(t, site);
            KNOWN[slot] = passing;
            known++;
        }
        passing.count++;
        passing.latest = now;
        return passing;
    }

    boolean hasOwn() {
        return own != NOWHERE;
    }

    void leftOwn(int ofApplication) {
        own = ofApplication;
    }

    /**
     * Called by the agent at the end. Of each exception that left the application's code its type, then as numbers the site of
     * the application's method, 1 if it is unchecked, how often it came, and when it did last.
     */
    static String[] told() {
        String[] told = new String[known];
        int count = 0;
        for (int i = 0; i < SLOTS && count < told.length; i++) {
            $RecrashPassing passing = KNOWN[i];
            if (passing != null && passing.own != NOWHERE) {
                told[count++] = passing.type + " " + passing.own + " "
                        + (passing.isUnchecked ? 1 : 0) + " " + passing.count + " " + passing.latest;
            }
        }
        String[] all = new String[count];
        System.arraycopy(told, 0, all, 0, count);
        return all;
    }
}
