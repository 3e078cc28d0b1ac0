package recrash.worker;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import recrash.junit.Subject;

/** One candidate to run: a method, and what it is called with. The layout is that of {@code message.rs}. */
final class Request {
    static final int OWN_LOADER = 0;
    static final int SYSTEM_LOADER = 1;
    static final int KEPT_LOADER = 2;
    static final int KEPT_LOADER_ANEW = 3;

    final Subject subject;
    final List<File> classPath = new ArrayList<>();
    final long limitMillis;
    final long stackSize;
    final int loader;
    final byte[] plan;

    private Request(DataInputStream in) throws IOException {
        int kind = in.readUnsignedByte();
        if (kind != 1) {
            throw new IOException("request of unknown kind " + kind);
        }
        subject = Subject.read(in);
        int entries = in.readInt();
        for (int i = 0; i < entries; i++) {
            classPath.add(new File(string(in)));
        }
        limitMillis = in.readLong();
        stackSize = in.readLong();
        loader = in.readUnsignedByte();
        plan = bytes(in);
    }

    /** The next request, its length first; null at the end of the stream. */
    static Request read(DataInputStream in) throws IOException {
        byte[] bytes;
        try {
            bytes = bytes(in);
        } catch (EOFException e) {
            return null;
        }
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
