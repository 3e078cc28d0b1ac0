package java.lang;

/** Which frames of a failure are the application's own, where some of them stand inside frames of a framework. */
final class $RecrashOwnFrames {
    private $RecrashOwnFrames() {}

    /**
     * Of each frame whether it is the application's own; {@code classes} are theirs, innermost first; those
     * {@code withoutPlace} tell nothing of who called whom. Null where no library
     * has called the application: then the program drives a library, and whatever leads to the failure is of interest.
     */
    static boolean[] of(Class<?>[] classes, boolean[] withoutPlace, $RecrashWhose whose) {
        boolean[] own = new boolean[classes.length];
        boolean seen = false;
        boolean hosted = false;
        for (int i = 0; i < classes.length; i++) {
            own[i] = classes[i] != null && whose.isOwn(classes[i]);
            if (!withoutPlace[i]) {
                seen |= own[i];
                hosted |= seen && !own[i] && classes[i] != null && !$RecrashOpaque.isJdk(classes[i]);
            }
        }
        return hosted ? own : null;
    }
}
