package recrash.worker;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import recrash.wire.Worker;

/** One candidate to run: a frame of a snapshot. */
final class Request {
    final File snapshot;
    final int frame;
    final boolean statics;
    final boolean patches;
    final List<File> classPath = new ArrayList<>();
    final long limitMillis;
    final long stackSize;
    /** One of the loaders that {@link Worker} names. */
    final int loader;
    /** What to restore instead of what the file says; null for that. */
    final byte[] plan;

    private Request(recrash.wire.Request message) {
        snapshot = new File(message.snapshot);
        frame = message.frame;
        statics = (message.flags & Worker.NO_STATICS) == 0;
        patches = (message.flags & Worker.NO_PATCHES) == 0;
        for (String entry : message.classPath) {
            classPath.add(new File(entry));
        }
        limitMillis = message.limitMillis;
        stackSize = message.stackSize;
        loader = message.loader;
        plan = message.plan;
    }

    static Request decode(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        in.mark(Integer.BYTES);
        int version = in.readInt();
        if (version != Worker.VERSION) {
            throw new IOException("recrash asks in version " + version + " of the protocol, this jar knows version "
                    + Worker.VERSION + ": they come from different builds of recrash");
        }
        in.reset();
        return new Request(recrash.wire.Request.read(in));
    }
}
