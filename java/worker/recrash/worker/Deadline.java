package recrash.worker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.concurrent.TimeUnit;

/**
 * When a candidate has had its time. A candidate that waits has had it when the clock says so; one that computes, when it has
 * computed for that long: on a busy machine it is given a part of the time only, and a test must not depend on that.
 */
final class Deadline {
    /** As a multiple of its time: what a candidate gets at most. */
    private static final int MOST = 4;
    /** Whoever computes gets at least this part of the time, even on a very busy machine. */
    private static final int SHARE = 20;
    /** How often a candidate that goes on longer is looked at. */
    private static final long INTERVAL = 100;
    /** Ticks of /proc, as Linux counts for programs. */
    private static final long MILLIS_PER_TICK = 10;

    private final long limit;
    private final long start = System.nanoTime();
    private final long computedBefore = computed();

    Deadline(long limitMillis) {
        limit = limitMillis;
    }

    /** How long to wait before asking again; 0 when the time is up. */
    long left(Thread candidate) {
        long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        if (passed < limit) {
            return limit - passed;
        }
        long computed = computed() - computedBefore;
        // Who waits for a file or a socket seems to run.
        boolean goesOn = passed < MOST * limit && candidate.getState() == Thread.State.RUNNABLE
                && computed < limit && computed > passed / SHARE;
        return goesOn ? Math.min(INTERVAL, MOST * limit - passed) : 0;
    }

    /** Milliseconds of processor time that this JVM has had; a great many when that is not known. */
    private static long computed() {
        try {
            String line = new String(Files.readAllBytes(Paths.get("/proc/self/stat")), StandardCharsets.ISO_8859_1);
            // The name of the program, in brackets, may have blanks.
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
            return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * MILLIS_PER_TICK;
        } catch (IOException | RuntimeException unknown) {
            return Long.MAX_VALUE / 2;
        }
    }
}
