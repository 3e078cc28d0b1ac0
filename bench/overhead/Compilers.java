import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** The threads of this JVM that compile, as the kernel sees them. */
final class Compilers {
    private static final Path THREADS = Path.of("/proc/self/task");

    /** Between two looks; a compiler that has work to do takes far more of it than {@link #NOTHING}. */
    private static final long LOOK_AGAIN = 20_000_000;
    private static final long NOTHING = 200_000;

    private Compilers() {}

    /** Nanoseconds of CPU time so far. */
    static long cpu() throws IOException {
        long sum = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            for (Path thread : threads) {
                sum += cpu(thread);
            }
        }
        return sum;
    }

    private static long cpu(Path thread) {
        try {
            String name = Files.readString(thread.resolve("comm"));
            if (!name.startsWith("C1 ") && !name.startsWith("C2 ")) {
                return 0;
            }
            return Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ")[0]);
        } catch (IOException ended) {
            return 0;
        }
    }

    /** Waits until they have compiled all that they were asked to. */
    static void rest() throws IOException {
        long before = cpu();
        while (true) {
            LockSupport.parkNanos(LOOK_AGAIN);
            long now = cpu();
            if (now - before < NOTHING) {
                return;
            }
            before = now;
        }
    }
}
