package recrash.worker;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One candidate to run: a frame of a snapshot. The layout is that of {@code message.rs}. */
final class Request {
    private static final int NO_STATICS = 1;
    private static final int NO_PATCHES = 2;

    static final int OWN_LOADER = 0;
    static final int SYSTEM_LOADER = 1;
    static final int KEPT_LOADER = 2;
    static final int KEPT_LOADER_ANEW = 3;

    final File snapshot;
    final int frame;
    final boolean statics;
    final boolean patches;
    final List<File> classPath = new ArrayList<>();
    final long limitMillis;
    final long stackSize;
    final int loader;
    /** What to restore instead of what the file says; null for that. */
    final byte[] plan;

    private Request(DataInputStream in) throws IOException {
        int kind = in.readUnsignedByte();
        if (kind != 1) {
            throw new IOException("request of unknown kind " + kind);
        }
        snapshot = new File(string(in));
        frame = in.readInt();
        int flags = in.readInt();
        statics = (flags & NO_STATICS) == 0;
        patches = (flags & NO_PATCHES) == 0;
        int entries = in.readInt();
        for (int i = 0; i < entries; i++) {
            classPath.add(new File(string(in)));
        }
        limitMillis = in.readLong();
        stackSize = in.readLong();
        loader = in.readUnsignedByte();
        plan = in.readBoolean() ? bytes(in) : null;
    }

    static Request decode(byte[] bytes) throws IOException {
        return new Request(new DataInputStream(new ByteArrayInputStream(bytes)));
    }

    private static String string(DataInputStream in) throws IOException {
        return new String(bytes(in), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }
}
