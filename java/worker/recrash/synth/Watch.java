package recrash.synth;

import java.io.DataOutputStream;
import java.io.IOException;

/** Runs programs in a thread of their own; one that does not end in time ends the JVM. */
final class Watch {
    private final DataOutputStream out;
    private final Thread runner;
    private final Object turn = new Object();
    private Run next;
    private boolean done;

    Watch(DataOutputStream out) {
        this.out = out;
        // Recursion is part of many a crash, and deep recursion takes long to print.
        runner = new Thread(null, this::serve, "main", 1 << 20);
        runner.setDaemon(true);
        runner.start();
    }

    private void serve() {
        while (true) {
            Run run;
            synchronized (turn) {
                while (next == null) {
                    await();
                }
                run = next;
                next = null;
            }
            run.run();
            synchronized (turn) {
                done = true;
                turn.notifyAll();
            }
        }
    }

    private void await() {
        try {
            turn.wait();
        } catch (InterruptedException e) {
            // A program interrupted itself: that is over.
        }
    }

    void run(Run run, int limit) throws IOException {
        long end = System.nanoTime() + limit * 1_000_000L;
        synchronized (turn) {
            done = false;
            next = run;
            turn.notifyAll();
            while (!done) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    Run.answerTimeout(out);
                    out.flush();
                    Runtime.getRuntime().halt(0);
                }
                try {
                    turn.wait(left);
                } catch (InterruptedException e) {
                    // The same.
                }
            }
        }
    }
}
