package java.lang;

/** The record of the frame that a throwable is just leaving, as handlers begin it. */
final class $RecrashLeaving {
    private $RecrashLeaving() {}

    /** A site below zero is the complement of one whose frames have a place in the thread's journal. */
    static $RecrashFrames open(Throwable t, int site) {
        return site < 0 ? opened(t, ~site).with($RecrashJournal.current()) : opened(t, site);
    }

    private static $RecrashFrames opened(Throwable t, int site) {
        try {
            if (t instanceof OutOfMemoryError) {
                return $RecrashReservedRecords.enter(t, site);
            }
            $RecrashThread thread = $RecrashThread.current();
            $RecrashFrames frames = thread.latest;
            if (frames == null || !frames.refersTo(t)) {
                frames = thread.framesOf(t);
            }
            if (frames.open(t, site)) {
                frames.due = $RecrashNamedExceptions.means(t, site);
                long now = System.nanoTime();
                frames.looked = $RecrashUnwound.admits(t, site, now);
                frames.begin(t, site, now);
            }
            if (!frames.isOwn() && !(t instanceof VirtualMachineError) && $RecrashAgent.listening()) {
                frames.meet(site);
            }
            return frames;
        } catch (Throwable exhausted) {
            return $RecrashFrames.NOWHERE;
        }
    }

    /** The frame has put its first values. */
    static $RecrashFrames entered($RecrashFrames frames) {
        if (frames.looked) {
            frames.look();
        }
        if (frames.due) {
            $RecrashNamedExceptions.capture(frames);
        }
        return frames;
    }
}
