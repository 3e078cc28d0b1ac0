package recrash.worker;

/** Tells who called {@code System.exit}: a shutdown hook still sees the stack of the caller, which waits for it. */
final class Exit extends Thread {
    private final Answers answers;
    private volatile Thread candidate;

    Exit(Answers answers) {
        this.answers = answers;
    }

    void watch(Thread thread) {
        candidate = thread;
    }

    @Override
    public void run() {
        Thread watched = candidate;
        String place = watched == null ? null : caller(watched);
        if (place == null) {
            place = anyCaller();
        }
        answers.doneIfExpected(new Outcome(Outcome.EXITED, place, null, true));
    }

    private static String anyCaller() {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            String place = caller(thread);
            if (place != null) {
                return place;
            }
        }
        return null;
    }

    private static String caller(Thread thread) {
        StackTraceElement[] trace = thread.getStackTrace();
        for (StackTraceElement element : trace) {
            if (element.getClassName().equals("java.lang.Shutdown")) {
                return Candidate.place(trace);
            }
        }
        return null;
    }
}
