package java.lang;

import java.lang.ref.WeakReference;

/**
 * A failure that was captured, known by the record of its innermost cause: on its way to where it ends up an exception is
 * logged, wrapped, stored in a future, and seen at more than one gate.
 */
final class $RecrashReported {
    private static final int KEPT = 64;
    private static final $RecrashReported[] LATEST = new $RecrashReported[KEPT];
    private static int counted;

    final WeakReference<$RecrashFrames> record;
    /** Counts snapshots from 1; the agent knows which file it is. */
    final int number;
    private final int frames;
    private final int rank;

    private $RecrashReported($RecrashFrames record, int number, int frames, int rank) {
        this.record = new WeakReference<$RecrashFrames>(record);
        this.number = number;
        this.frames = frames;
        this.rank = rank;
    }

    static $RecrashReported find($RecrashFrames record) {
        for (int i = 0; record != null && i < KEPT; i++) {
            $RecrashReported reported = LATEST[i];
            if (reported != null && reported.record.refersTo(record)) {
                return reported;
            }
        }
        return null;
    }

    /** Called while a capture is under way, and there is only one at a time. */
    static int nextNumber() {
        return counted + 1;
    }

    /** As above. */
    static void add($RecrashFrames record, int frames, int rank) {
        counted++;
        if (record != null) {
            LATEST[counted % KEPT] = new $RecrashReported(record, counted, frames, rank);
        }
    }

    /**
     * Whether a snapshot taken now says no more. What ends a thread, a test or a request says more than what was logged on
     * the way there, if it has left more frames.
     */
    boolean covers(int frames, int rank) {
        return rank <= this.rank || frames <= this.frames;
    }
}
