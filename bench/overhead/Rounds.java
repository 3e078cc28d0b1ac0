import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs a piece of work a number of times and prints one line per round: CPU microseconds of the whole process, the
 * compiler's and the collector's threads included, and a checksum that must not depend on being monitored.
 */
final class Rounds {
    interface Work {
        long run(int round) throws Exception;
    }

    /** Where the deepest stack of the work is left, as a stack trace. */
    private static final String TRACE = System.getProperty("bench.trace");

    /** Whether to say when the process is warm. */
    private static final boolean WARM = Boolean.getBoolean("bench.warm");

    /** Warm: of so many nanoseconds of rounds, the last ones, less than one part in {@link #SHARE} went to the compilers. */
    private static final long LAST = 4_000_000_000L;
    private static final int SHARE = 12;

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private Rounds() {}

    private static void sample(Thread worker) {
        Thread sampler = new Thread(() -> {
            int deepest = 0;
            while (true) {
                StackTraceElement[] stack = worker.getStackTrace();
                if (stack.length > deepest) {
                    deepest = stack.length;
                    write(stack);
                }
                LockSupport.parkNanos(5_000_000);
            }
        });
        sampler.setDaemon(true);
        sampler.start();
    }

    private static void write(StackTraceElement[] stack) {
        StringBuilder text = new StringBuilder("java.lang.IllegalStateException: sampled\n");
        for (StackTraceElement element : stack) {
            text.append("\tat ").append(element).append('\n');
        }
        try {
            Files.writeString(Path.of(TRACE), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void run(int rounds, Work work) throws Exception {
        if (TRACE != null) {
            sample(Thread.currentThread());
        }
        int round = WARM ? warmUp(rounds, work) : 0;
        for (; round < rounds; round++) {
            once(round, work);
        }
    }

    /**
     * Rounds until the process is warm. The compilers get the time they need after each: on one core they take turns with the
     * program, which needs minutes otherwise, most of them spent on rounds that a warm process does several of.
     */
    private static int warmUp(int rounds, Work work) throws Exception {
        long compiled = Compilers.cpu();
        long took = 0;
        for (int round = 0; round < rounds; round++) {
            took += once(round, work);
            Compilers.rest();
            if (took >= LAST) {
                long now = Compilers.cpu();
                boolean warm = (now - compiled) * SHARE < took;
                compiled = now;
                took = 0;
                if (warm) {
                    System.out.println("warm");
                    return round + 1;
                }
            }
        }
        return rounds;
    }

    /** Its CPU nanoseconds. */
    private static long once(int round, Work work) throws Exception {
        long before = SYSTEM.getProcessCpuTime();
        long sum = work.run(round);
        long cpu = SYSTEM.getProcessCpuTime() - before;
        System.out.println("round " + cpu / 1000 + " " + sum);
        return cpu;
    }
}
