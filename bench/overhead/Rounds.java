import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Runs a piece of work a number of times and prints one line per round: wall and CPU microseconds of the whole process,
 * the compiler's and the collector's threads included, and a checksum that must not depend on being monitored.
 */
final class Rounds {
    interface Work {
        long run(int round) throws Exception;
    }

    private Rounds() {}

    static void run(int rounds, Work work) throws Exception {
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
