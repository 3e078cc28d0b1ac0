package java.lang;

/** The state that objects had when a frame was entered, as far as it was kept. A handler puts it beside the frame's own references. */
abstract class $RecrashEntryState {
    /** Whether the handler put it before the frame's own references, and not behind them. */
    boolean isFirst() {
        return false;
    }

    /** How many primitives the handler put behind the frame's own, for {@link #tell}: 0 or 1. */
    abstract int primitives();

    /**
     * Tells what was different when the frame was entered. Frames come innermost first, and each need only tell what those
     * before it did not.
     *
     * @param mark the primitive that the handler put last, if {@link #primitives} says so
     */
    abstract void tell(int mark, $RecrashChanges changes);

    /** The past of a frame that put these references; null when it has none. A journal comes first, a copy last. */
    static $RecrashEntryState of(Object[] references) {
        int last = references.length - 1;
        if (last < 0) {
            return null;
        }
        $RecrashEntryState first = as(references[0]);
        return first != null && first.isFirst() ? first : as(references[last]);
    }

    private static $RecrashEntryState as(Object reference) {
        return reference instanceof $RecrashEntryState ? ($RecrashEntryState) reference : null;
    }

    /** Where the frame's own references begin in an array with this one. */
    static int first($RecrashEntryState past) {
        return past != null && past.isFirst() ? 1 : 0;
    }
}
