package java.lang.ref;

import java.lang.$RecrashFrames;

/**
 * A queue that keeps nothing: the JVM's reference handler empties the record of a forgotten throwable at once, and no
 * thread of recrash's own is needed.
 */
public final class $RecrashQueue extends ReferenceQueue<Throwable> {
    public static final $RecrashQueue FORGOTTEN = new $RecrashQueue();

    private $RecrashQueue() {}

    @Override
    boolean enqueue(Reference<? extends Throwable> reference) {
        if (reference instanceof $RecrashFrames) {
            (($RecrashFrames) reference).forget();
        }
        return true;
    }
}
