package java.lang;

/**
 * What woven code calls. Lives in java.lang so that every class loader of every program sees it, whatever its parent.
 *
 * <p>Nothing here throws, locks, blocks or calls a method of the program: these methods run inside handlers, with the
 * stack or the heap possibly exhausted. Allocation failures and stack overflows in here are swallowed and cost only the
 * frame that was being recorded.
 */
public final class $Recrash {
    private $Recrash() {}

    /** Starts the record of one frame that {@code t} is leaving; the woven handler then puts its values. */
    public static $RecrashFrames enter(Throwable t, int site) {
        try {
            if (t instanceof OutOfMemoryError) {
                return $RecrashSpares.enter(t, site);
            }
            $RecrashThread thread = $RecrashThread.current();
            $RecrashFrames frames = thread.latest;
            if (frames == null || !frames.refersTo(t)) {
                frames = thread.framesOf(t);
            }
            frames.open(t, site);
            return frames;
        } catch (Throwable exhausted) {
            return $RecrashFrames.NOWHERE;
        }
    }

    /** A constructor is about to call {@code super(...)} or {@code this(...)}, where no handler can reach. */
    public static $RecrashFrames constructing(int site) {
        try {
            $RecrashThread thread = $RecrashThread.current();
            thread.construct(site);
            return thread.constructors;
        } catch (Throwable exhausted) {
            return $RecrashFrames.NOWHERE;
        }
    }

    /** The call that {@link #constructing} announced has returned. */
    public static void constructed(int site) {
        try {
            $RecrashThread.current().pending.dropFrom(site);
        } catch (Throwable exhausted) {
            // The entry stays behind; alignment with the stack trace ignores it.
        }
    }

    /** Called by {@code recrash.Recrash}. Throws nothing but {@code point}, and that only in tests which wait for it. */
    public static void capture(Throwable point) throws Throwable {
        try {
            $RecrashPoint.reached(point);
        } catch (Throwable trouble) {
            if (trouble == point) {
                throw trouble;
            }
        }
    }

    /** Called first thing by {@code Thread.dispatchUncaughtException}. */
    public static void uncaught(Thread thread, Throwable t) {
        try {
            $RecrashFailure.uncaught(thread, t);
        } catch (Throwable trouble) {
            // The program's own handling of its failure goes on as if recrash were not here.
        }
    }
}
