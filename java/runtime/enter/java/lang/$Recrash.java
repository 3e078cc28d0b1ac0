package java.lang;

import jdk.internal.vm.annotation.DontInline;

/**
 * What woven code calls. Lives in java.lang so that every class loader of every program sees it, whatever its parent.
 *
 * <p>Nothing here throws, locks, blocks or calls a method of the program: these methods run inside handlers, with the
 * stack or the heap possibly exhausted. Allocation failures and stack overflows in here are swallowed and cost only the
 * frame that was being recorded.
 */
public final class $Recrash {
    private $Recrash() {}

    /**
     * Starts the record of one frame that {@code t} is leaving. The methods below take the first references and ints of
     * the frame along, the woven handler puts the other values.
     *
     * <p>Compilers must not inline them: handlers hardly ever run, and there is one in every method.
     */
    @DontInline
    public static $RecrashFrames enter(Throwable t, int site) {
        return $RecrashLeaving.entered($RecrashLeaving.open(t, site));
    }

    @DontInline
    public static $RecrashFrames enter(Throwable t, int site, int i) {
        return $RecrashLeaving.entered($RecrashLeaving.open(t, site).with(i));
    }

    @DontInline
    public static $RecrashFrames enter(Throwable t, int site, int i, int j) {
        return $RecrashLeaving.entered($RecrashLeaving.open(t, site).with(i).with(j));
    }

    @DontInline
    public static $RecrashFrames enter(Throwable t, int site, Object a) {
        return $RecrashLeaving.entered($RecrashLeaving.open(t, site).with(a));
    }

    @DontInline
    public static $RecrashFrames enter(Throwable t, int site, Object a, int i) {
        return $RecrashLeaving.entered($RecrashLeaving.open(t, site).with(a).with(i));
    }

    @DontInline
    public static $RecrashFrames enter(Throwable t, int site, Object a, int i, int j) {
        return $RecrashLeaving.entered($RecrashLeaving.open(t, site).with(a).with(i).with(j));
    }

    @DontInline
    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b) {
        return $RecrashLeaving.entered($RecrashLeaving.open(t, site).with(a).with(b));
    }

    @DontInline
    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b, int i) {
        return $RecrashLeaving.entered($RecrashLeaving.open(t, site).with(a).with(b).with(i));
    }

    @DontInline
    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b, int i, int j) {
        return $RecrashLeaving.entered($RecrashLeaving.open(t, site).with(a).with(b).with(i).with(j));
    }

    @DontInline
    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b, Object c) {
        return $RecrashLeaving.entered($RecrashLeaving.open(t, site).with(a).with(b).with(c));
    }

    @DontInline
    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b, Object c, int i) {
        return $RecrashLeaving.entered($RecrashLeaving.open(t, site).with(a).with(b).with(c).with(i));
    }

    @DontInline
    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b, Object c, int i, int j) {
        return $RecrashLeaving.entered($RecrashLeaving.open(t, site).with(a).with(b).with(c).with(i).with(j));
    }

    @DontInline
    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b, Object c, Object d) {
        return $RecrashLeaving.entered($RecrashLeaving.open(t, site).with(a).with(b).with(c).with(d));
    }

    @DontInline
    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b, Object c, Object d, int i) {
        return $RecrashLeaving.entered($RecrashLeaving.open(t, site).with(a).with(b).with(c).with(d).with(i));
    }

    @DontInline
    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b, Object c, Object d, int i, int j) {
        return $RecrashLeaving.entered($RecrashLeaving.open(t, site).with(a).with(b).with(c).with(d).with(i).with(j));
    }

    @DontInline
    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b, Object c, Object d, Object e) {
        return $RecrashLeaving.entered($RecrashLeaving.open(t, site).with(a).with(b).with(c).with(d).with(e));
    }

    @DontInline
    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b, Object c, Object d, Object e, int i) {
        return $RecrashLeaving.entered($RecrashLeaving.open(t, site).with(a).with(b).with(c).with(d).with(e).with(i));
    }

    @DontInline
    public static $RecrashFrames enter(
            Throwable t, int site, Object a, Object b, Object c, Object d, Object e, int i, int j) {
        return $RecrashLeaving.entered($RecrashLeaving.open(t, site).with(a).with(b).with(c).with(d).with(e).with(i).with(j));
    }

    /** Called by {@code recrash.Recrash}. Throws nothing but {@code point}, and that only in tests which wait for it. */
    public static void capture(Throwable point) throws Throwable {
        try {
            $RecrashReachedPoint.reached(point);
        } catch (Throwable trouble) {
            if (trouble == point) {
                throw trouble;
            }
        }
    }

    /** Called first thing by {@code ThreadGroup.uncaughtException}, which any code may call. */
    public static void uncaught(ThreadGroup group, Thread thread, Throwable t) {
        uncaught(thread, t);
    }

    /** Called first thing by {@code Thread.dispatchUncaughtException}. */
    public static void uncaught(Thread thread, Throwable t) {
        try {
            $RecrashBorder.failed(t);
            if ($RecrashHandledFailures.hears($RecrashFailureKind.UNCAUGHT)) {
                $RecrashFailure.recognised(thread, t, $RecrashFailureKind.UNCAUGHT, null);
            }
        } catch (Throwable trouble) {
            // The program's own handling of its failure goes on as if recrash were not here.
        }
    }
}
