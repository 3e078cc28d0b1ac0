package java.lang;

import jdk.internal.misc.InnocuousThread;

/**
 * The failures that came while another one was being captured. Their frames' values are safe, and the program has gone on;
 * a thread of its own captures them one after the other, and ends when none is left.
 */
final class $RecrashWaiting implements Runnable {
    private static final int MOST = 16;
    private static final $RecrashFailure[] QUEUE = new $RecrashFailure[MOST];
    private static int first;
    private static int count;
    private static boolean isAtWork;

    private $RecrashWaiting() {}

    /** False when too many wait, or the program is ending. */
    static boolean add($RecrashFailure failure) {
        synchronized (QUEUE) {
            if (count == MOST || !$RecrashAgent.expect()) {
                return false;
            }
            QUEUE[(first + count++) % MOST] = failure;
            if (isAtWork) {
                return true;
            }
            isAtWork = true;
        }
        InnocuousThread.newSystemThread("recrash", new $RecrashWaiting()).start();
        return true;
    }

    private static $RecrashFailure next() {
        synchronized (QUEUE) {
            if (count == 0) {
                isAtWork = false;
                return null;
            }
            $RecrashFailure failure = QUEUE[first];
            QUEUE[first] = null;
            first = (first + 1) % MOST;
            count--;
            return failure;
        }
    }

    @Override
    public void run() {
        $RecrashThread.current().capturing = true;
        for ($RecrashFailure failure = next(); failure != null; failure = next()) {
            failure.captureLater();
        }
    }
}
