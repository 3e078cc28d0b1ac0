package recrash.synth;

/** Woven code tells here how far it came. Programs run one at a time; their threads may write, too, and lose nothing. */
public final class Probe {
    /** Of the trace's methods and of stand-ins' methods. */
    private static final int MOST = (1 << 12) + (1 << 14);

    private static boolean[] passed = new boolean[MOST];
    private static int[] order = new int[MOST];
    private static int count;

    private Probe() {}

    public static void pass(int probe) {
        boolean[] seen = passed;
        if (probe < seen.length && !seen[probe]) {
            seen[probe] = true;
            order[count++] = probe;
        }
    }

    /** The probes passed since the last call. */
    static int[] take() {
        int[] taken = java.util.Arrays.copyOf(order, count);
        for (int probe : taken) {
            passed[probe] = false;
        }
        count = 0;
        return taken;
    }
}
