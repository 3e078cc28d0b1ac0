package recrash.worker;

import java.net.MalformedURLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import recrash.junit.Frame;
import recrash.junit.SnapshotException;

/** Runs one request on a thread of its own and in the class loader it asks for, within its time. */
final class Candidate {
    /** How long threads that a candidate started may take to end once interrupted. */
    private static final long LEFTOVER_MILLIS = 300;

    private final Request request;
    private final Held held;
    private final Exit exit;
    private volatile Outcome outcome;

    Candidate(Request request, Held held, Exit exit) {
        this.request = request;
        this.held = held;
        this.exit = exit;
    }

    Outcome run() {
        Set<Thread> before = threads();
        ClassLoader loader;
        try {
            loader = held.loader(request);
        } catch (MalformedURLException e) {
            return new Outcome(Outcome.NOT_RESTORED, "the class path cannot be used: " + e.getMessage(), null, false);
        }
        Outcome result = onOwnThread(loader);
        boolean clean = endThreads(before);
        held.release(loader);
        return new Outcome(result.kind, result.text, result.thrown, result.restart || !clean);
    }

    private Outcome onOwnThread(ClassLoader loader) {
        String name = request.subject.threadName();
        Thread thread = new Thread(null, () -> outcome = call(loader), name, request.stackSize);
        thread.setContextClassLoader(loader);
        thread.setDaemon(true);
        exit.watch(thread);
        Deadline deadline = new Deadline(request.limitMillis);
        thread.start();
        try {
            for (long millis; thread.isAlive() && (millis = deadline.left(thread)) > 0; ) {
                thread.join(millis);
            }
        } catch (InterruptedException e) {
            // Nobody but a candidate can have interrupted this thread; its time is up then.
            Thread.interrupted();
        }
        Outcome done = outcome;
        if (done == null) {
            return new Outcome(Outcome.TIMED_OUT, place(thread.getStackTrace()), null, true);
        }
        return done;
    }

    private Outcome call(ClassLoader loader) {
        Frame frame = request.subject.frame(request.plan, loader);
        try {
            frame.restore();
        } catch (SnapshotException e) {
            return new Outcome(Outcome.NOT_RESTORED, e.getMessage(), null, false);
        } catch (Throwable e) {
            return new Outcome(Outcome.NOT_RESTORED, "it could not be restored: " + e, null, true);
        }
        try {
            frame.invoke();
            return new Outcome(Outcome.RETURNED, null, null, false);
        } catch (SnapshotException e) {
            return new Outcome(Outcome.NOT_RESTORED, e.getMessage(), null, false);
        } catch (Throwable e) {
            List<Thrown> chain = Thrown.chain(e);
            return new Outcome(Outcome.THREW, null, chain, e instanceof OutOfMemoryError);
        }
    }

    private static Set<Thread> threads() {
        return new HashSet<>(Thread.getAllStackTraces().keySet());
    }

    /** Interrupts the threads that came into being since; false when one of them does not end. */
    private static boolean endThreads(Set<Thread> before) {
        long end = System.nanoTime() + LEFTOVER_MILLIS * 1_000_000;
        boolean clean = true;
        for (Thread thread : threads()) {
            if (before.contains(thread) || isOfTheJvm(thread)) {
                continue;
            }
            try {
                thread.interrupt();
                thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            } catch (InterruptedException | RuntimeException e) {
                clean = false;
            }
            clean &= !thread.isAlive();
        }
        return clean;
    }

    private static boolean isOfTheJvm(Thread thread) {
        ThreadGroup group = thread.getThreadGroup();
        return group == null || group.getParent() == null || group.getName().equals("InnocuousThreadGroup");
    }

    static String place(StackTraceElement[] trace) {
        for (StackTraceElement element : trace) {
            String name = element.getClassName();
            if (!name.startsWith("java.") && !name.startsWith("jdk.") && !name.startsWith("sun.")
                    && !name.startsWith("recrash.")) {
                return element.toString();
            }
        }
        return trace.length == 0 ? null : trace[0].toString();
    }
}
