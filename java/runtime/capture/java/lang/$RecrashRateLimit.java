package java.lang;

/**
 * The limit on how often recrash lets itself be asked: a program may log or throw thousands of exceptions a second, and must not notice.
 *
 * <p>Races between threads lose a count now and then, which is cheaper than any order among them.
 */
final class $RecrashRateLimit {
    private static final long SECOND = 1_000_000_000L;
    /** So many failures that did not end a thread are looked at in a second; the others cost a look at the clock. */
    private static final int LOOKS = 200;
    /** So many of them may be captured at once, and one more every {@link #INTERVAL}. */
    private static final int BURST = 10;
    private static final long INTERVAL = 10 * SECOND;

    private static volatile long second = System.nanoTime();
    private static volatile int looks;
    /** When all captures so far would have been due, one per interval. */
    private static volatile long due = System.nanoTime();
    private static boolean said;

    private $RecrashRateLimit() {}

    /** Whether one more failure is looked at. */
    static boolean admits() {
        long now = System.nanoTime();
        if (now - second >= SECOND) {
            second = now;
            looks = 0;
        }
        int count = looks + 1;
        looks = count;
        if (count == LOOKS + 1 && !said) {
            said = true;
            $RecrashAgent.say("this program has more than " + LOOKS
                    + " handled failures a second; those above that number are passed over");
        }
        return count <= LOOKS;
    }

    /** Whether one more may be captured. */
    static boolean allows() {
        return due - System.nanoTime() <= (BURST - 1) * INTERVAL;
    }

    /** One was captured. */
    static void spend() {
        long now = System.nanoTime();
        due = (due - now > 0 ? due : now) + INTERVAL;
    }
}
