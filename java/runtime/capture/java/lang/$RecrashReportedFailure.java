package java.lang;

import java.lang.ref.WeakReference;

/**
 * A failure that was captured, or found to be one that was captured before, known by the record of its innermost cause: on
 * its way to where it ends up an exception is logged, wrapped, stored in a future, and seen at more than one gate.
 */
final class $RecrashReportedFailure {
    private static final int KEPT = 64;
    private static final $RecrashReportedFailure[] LATEST = new $RecrashReportedFailure[KEPT];
    private static int next;
    private static int counted;

    final WeakReference<$RecrashFrames> record;
    /** Counts snapshots from 1; the agent knows which file it is. 0 where an earlier failure has the snapshot. */
    final int number;
    private final int weight;
    private final int rank;

    private $RecrashReportedFailure($RecrashFrames record, int number, int weight, int rank) {
        this.record = new WeakReference<$RecrashFrames>(record);
        this.number = number;
        this.weight = weight;
        this.rank = rank;
    }

    static $RecrashReportedFailure find($RecrashFrames record) {
        for (int i = 0; record != null && i < KEPT; i++) {
            $RecrashReportedFailure reported = LATEST[i];
            if (reported != null && reported.record.refersTo(record)) {
                return reported;
            }
        }
        return null;
    }

    static boolean areThereSome() {
        return counted > 0;
    }

    /** Called while a capture is under way, and there is only one at a time. */
    static int nextNumber() {
        return counted + 1;
    }

    /** As above. */
    static void add($RecrashFrames record, int weight, int rank) {
        counted++;
        remember(record, counted, weight, rank);
    }

    /**
     * A failure whose like was captured before: at the gates it has yet to pass it has other frames, and would
     * look new there.
     */
    static void addKnown($RecrashFrames record, int weight, int rank) {
        remember(record, 0, weight, rank);
    }

    private static synchronized void remember($RecrashFrames record, int number, int weight, int rank) {
        if (record != null && (number > 0 || find(record) == null)) {
            LATEST[next] = new $RecrashReportedFailure(record, number, weight, rank);
            next = (next + 1) % KEPT;
        }
    }

    /**
     * Whether a snapshot taken now says no more. What ends a thread, a test or a request says more than what was logged on
     * the way there, if it has left more frames of the application.
     */
    boolean covers(int weight, int rank) {
        return rank <= this.rank || weight <= this.weight;
    }
}
