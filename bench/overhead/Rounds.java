import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs a piece of work a number of times and prints one line per round: wall and CPU microseconds of the whole process,
 * the compiler's and the collector's threads included, and a checksum that must not depend on being monitored.
 */
final class Rounds {
    interface Work {
        long run(int round) throws Exception;
    }

    /** Where the deepest stack of the work is left, as a stack trace. */
    private static final String TRACE = System.getProperty("bench.trace");

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
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        for (int round = 0; round < rounds; round++) {
            long cpu = system.getProcessCpuTime();
            long wall = System.nanoTime();
            long sum = work.run(round);
            wall = System.nanoTime() - wall;
            cpu = system.getProcessCpuTime() - cpu;
            System.out.println("round " + wall / 1000 + " " + cpu / 1000 + " " + sum);
        }
    }
}
