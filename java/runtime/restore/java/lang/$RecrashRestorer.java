package java.lang;

import java.util.IdentityHashMap;

/** Executes a restore plan: brings the objects of one captured frame back to life. */
public final class $RecrashRestorer {
    private static final ThreadLocal<String[]> NOTES = new ThreadLocal<>();

    /** The throwables that this thread's last restore brought back, with their numbers in the snapshot. */
    private static final ThreadLocal<IdentityHashMap<Throwable, Integer>> THROWABLES = new ThreadLocal<>();

    private $RecrashRestorer() {}

    /**
     * The receiver (null for static methods) and the arguments, boxed. Statics and thread locals of the plan are set as
     * a side effect. Throws IllegalStateException with a sentence for the user when the plan cannot be executed.
     */
    public static Object[] restore(byte[] plan, ClassLoader loader) {
        $RecrashRestoreNotes notes = new $RecrashRestoreNotes();
        NOTES.remove();
        THROWABLES.remove();
        $RecrashClassFileFields.anyLoader = true;
        try {
            $RecrashRevival revival = new $RecrashRevival(new $RecrashPlan(plan), loader, notes);
            Object[] roots = revival.run();
            THROWABLES.set(revival.throwables());
            return roots;
        } finally {
            NOTES.set(notes.sentences());
        }
    }

    /** Gives static fields, live objects and thread locals back what they held before the last restore. */
    public static void putBack() {
        $RecrashReplacedState.end();
    }

    /** Tells the label of the capture point that the restored frames lead to; null when they lead to an exception. */
    public static void await(String label) {
        $RecrashAwaitedPoint.await(label);
    }

    /** The number that a throwable has in the snapshot last restored in this thread; 0 for one that was made since. */
    public static int restored(Throwable throwable) {
        IdentityHashMap<Throwable, Integer> throwables = THROWABLES.get();
        Integer number = throwables == null ? null : throwables.get(throwable);
        return number == null ? 0 : number;
    }

    /** What differed from the captured state in this thread's last restore, one sentence each. */
    public static String[] notes() {
        String[] notes = NOTES.get();
        return notes == null ? new String[0] : notes.clone();
    }
}
