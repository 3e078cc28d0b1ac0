package java.lang;

/** A capture point of the program, {@code recrash.Recrash.capture}: a failure without an exception that unwinds. */
final class $RecrashReachedPoint {
    private $RecrashReachedPoint() {}

    static void reached(Throwable point) throws Throwable {
        if ($RecrashAwaitedPoint.isTesting()) {
            if ($RecrashAwaitedPoint.has(point.getMessage())) {
                throw point;
            }
        } else if ($RecrashAgent.listening() && !$RecrashThread.current().capturing
                && $RecrashAgent.isNewPoint(way(point))) {
            try {
                record(point);
            } catch (Throwable trouble) {
                $RecrashAgent.say("the stack of capture point \"" + point.getMessage() + "\" cannot be read: "
                        + trouble.getClass().getName());
                return;
            }
            $RecrashFailure.recognised(Thread.currentThread(), point, $RecrashFailureKind.POINT, null);
        }
    }

    /** Records the frames of this thread as those that {@code point} has left. */
    private static void record(Throwable point) {
        Object[] frames = $RecrashStack.frames();
        String[] layouts = $RecrashStack.layouts(frames);
        for (int i = 0; layouts != null && i < frames.length; i++) {
            if (layouts[i] != null) {
                String[] layout = layouts[i].split(" ");
                $RecrashFrames record = $RecrashLeaving.entered($RecrashLeaving.open(point, $RecrashFrameLayout.site(layout)));
                $RecrashStack.put(record, layout, frames[i]);
            }
        }
    }

    /** Tells apart by which way the program came here: a point may be reached a thousand times a second. */
    private static long way(Throwable point) {
        long way = point.getMessage().hashCode();
        for (Throwable t = point; t != null; t = t == point ? point.getCause() : null) {
            StackTraceElement[] trace = $RecrashAgent.trace(t);
            for (int i = 0; trace != null && i < trace.length; i++) {
                way = way * 31 + trace[i].getClassName().hashCode();
                way = way * 31 + trace[i].getMethodName().hashCode();
                way = way * 31 + trace[i].getLineNumber();
            }
        }
        return way;
    }
}
