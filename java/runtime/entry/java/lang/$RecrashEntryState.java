package java.lang;

/** The state that objects had when a frame was entered, as far as it was kept. A handler puts it beside the frame's own references. */
abstract class $RecrashEntryState {
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
        Object past = references[0] instanceof $RecrashJournal ? references[0] : references[last];
        return past instanceof $RecrashEntryState ? ($RecrashEntryState) past : null;
    }

    /** Where the frame's own references begin in an array with this one. */
    static int first($RecrashEntryState past) {
        return past instanceof $RecrashJournal ? 1 : 0;
    }
}
