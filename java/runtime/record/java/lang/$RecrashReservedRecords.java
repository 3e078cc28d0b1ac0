package java.lang;

import java.lang.ref.Reference;
import jdk.internal.misc.Unsafe;

/**
 * Records made ahead for OutOfMemoryErrors, which leave no room to make one. Nothing is allocated for such an error, not
 * even in vain: the JVM has only four errors with a stack trace ready, and a failed attempt would use one up.
 */
final class $RecrashReservedRecords {
    private static final int COUNT = 4;
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long REFERENT = UNSAFE.objectFieldOffset(Reference.class, "referent");
    private static final $RecrashFrames[] SPARES = new $RecrashFrames[COUNT];
    private static volatile boolean complete;

    private $RecrashReservedRecords() {}

    /** Replaces what was used up; called when there is memory. */
    static void refill() {
        if (complete) {
            return;
        }
        complete = true;
        for (int i = 0; i < COUNT; i++) {
            if (SPARES[i] == null) {
                SPARES[i] = new $RecrashFrames(null, $RecrashStorage.ahead($RecrashFrames.FIRST));
            }
        }
    }

    static $RecrashFrames enter(Throwable t, int site) {
        $RecrashFrames frames = find(t);
        if (frames == null) {
            frames = claim(t);
        }
        if (frames == null) {
            return $RecrashFrames.NOWHERE;
        }
        frames.open(t, site);
        return frames;
    }

    static $RecrashFrames find(Throwable t) {
        for (int i = 0; i < COUNT; i++) {
            $RecrashFrames frames = SPARES[i];
            if (frames != null && frames.refersTo(t)) {
                return frames;
            }
        }
        return null;
    }

    private static $RecrashFrames claim(Throwable t) {
        for (int i = 0; i < COUNT; i++) {
            $RecrashFrames frames = SPARES[i];
            // The store is what a constructor would have done; the collector sees an ordinary weak reference.
            if (frames != null && UNSAFE.compareAndSetReference(frames, REFERENT, null, t)) {
                frames.yieldValues();
                return frames;
            }
        }
        return null;
    }

    /** The error of a spare record is gone. Runs on the reference handler's thread. */
    static void retire($RecrashFrames frames) {
        for (int i = 0; i < COUNT; i++) {
            if (SPARES[i] == frames) {
                SPARES[i] = null;
                complete = false;
            }
        }
    }
}
