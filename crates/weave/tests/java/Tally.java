/** Counts what woven code tells it, and has methods go on where they are told to. */
public class Tally {
    private static final int MOST = 1 << 17;
    private static final int[] ENTERED = new int[MOST];
    private static final int[] LEFT = new int[MOST];
    private static final int[] THROWN = new int[MOST];
    private static final int[] CALLS = new int[MOST];
    private static final int[] RETURNS = new int[MOST];
    private static final boolean RESUMES = Boolean.getBoolean("resume");

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Tally::print));
    }

    /** The ticket that the method gives back. */
    public static int entered(int method) {
        ENTERED[method]++;
        return ~method;
    }

    public static void left(int ticket, int method) {
        check(ticket, method);
        LEFT[method]++;
    }

    public static void thrown(Throwable thrown, int ticket, int method) {
        if (thrown == null) {
            System.err.println("nothing was thrown out of " + method);
        }
        check(ticket, method);
        THROWN[method]++;
    }

    public static void calls(int method) {
        CALLS[method]++;
    }

    public static void returns(int method) {
        RETURNS[method]++;
    }

    public static boolean resumes() {
        return RESUMES;
    }

    private static void check(int ticket, int method) {
        if (ticket != ~method) {
            System.err.println("lost ticket of " + method);
        }
    }

    private static void print() {
        for (int method = 0; method < MOST; method++) {
            if (ENTERED[method] > 0) {
                System.err.println("tally " + method + " " + ENTERED[method] + " " + LEFT[method] + " "
                    + THROWN[method] + " " + CALLS[method] + " " + RETURNS[method]);
            }
        }
    }
}
