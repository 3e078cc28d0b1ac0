package recrash.worker;

import java.io.DataInputStream;
import java.io.IOException;
import recrash.junit.Frame;

/**
 * The second look: runs one frame to its failure, uncaught, in a JVM whose agent counts and captures the entries into
 * the methods inside that frame. Standard input has the frame, as a request.
 */
public final class Look {
    private Look() {}

    public static void main(String[] arguments) throws InterruptedException, IOException {
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        Request request = Request.read(new DataInputStream(System.in));
        Frame frame = request.subject.frame(request.plan, loader);
        new Surroundings(new Printed()).reset();
        Thread thread = new Thread(null, () -> call(frame), request.subject.threadName());
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
