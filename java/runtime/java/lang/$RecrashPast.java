package java.lang;

/**
 * Keeps the state that objects had when a frame was entered. A handler puts it last, behind the frame's own references.
 */
abstract class $RecrashPast {
    /** How many primitives the handler put behind the frame's own, for {@link #tell}: 0 or 1. */
    abstract int primitives();

    /**
     * Tells what was different when the frame was entered. Frames come innermost first, and each need only tell what those
     * before it did not.
     *
     * @param mark the primitive that the handler put last, if {@link #primitives} says so
     */
    abstract void tell(long mark, $RecrashChanges changes);

    /** The past of a frame that put these references; null when it has none. */
    static $RecrashPast of(Object[] references) {
        Object last = references.length == 0 ? null : references[references.length - 1];
        return last instanceof $RecrashPast ? ($RecrashPast) last : null;
    }
}
