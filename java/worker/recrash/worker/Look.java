package recrash.worker;

import java.nio.file.Paths;
import recrash.junit.Frame;
import recrash.junit.Snapshot;

/**
 * The second look: runs one frame to its failure, uncaught, in a JVM whose agent counts and captures the entries into
 * the methods inside that frame. Arguments: snapshot, frame, whether to restore statics, whether to apply patches.
 */
public final class Look {
    private Look() {}

    public static void main(String[] arguments) throws InterruptedException {
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        Snapshot snapshot = Snapshot.open(Paths.get(arguments[0]), loader);
        Frame frame = snapshot.frame(Integer.parseInt(arguments[1]));
        Frame wanted = Boolean.parseBoolean(arguments[2]) ? frame : frame.withoutStatics();
        Frame variant = Boolean.parseBoolean(arguments[3]) ? wanted : wanted.withoutPatches();
        new Surroundings(new Printed()).reset();
        Thread thread = new Thread(null, () -> call(variant), snapshot.threadName());
        thread.setContextClassLoader(loader);
        thread.start();
        thread.join();
        // Threads that the frame started must not keep the JVM.
        Runtime.getRuntime().halt(0);
    }

    private static void call(Frame frame) {
        try {
            frame.invoke();
        } catch (Throwable e) {
            throw Look.<RuntimeException>unchecked(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T unchecked(Throwable e) throws T {
        throw (T) e;
    }
}
