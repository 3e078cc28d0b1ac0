package recrash.worker;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import recrash.junit.Subject;
import recrash.wire.Property;
import recrash.wire.Surroundings;
import recrash.wire.Worker;

/** One candidate to run: a method, and what it is called with. */
final class Request {
    final Subject subject;
    final List<File> classPath = new ArrayList<>();
    final long limitMillis;
    final long stackSize;
    /** One of the loaders that {@link Worker} names. */
    final int loader;
    final byte[] plan;

    private Request(recrash.wire.Request message) {
        subject = subject(message.subject);
        for (String entry : message.classPath) {
            classPath.add(new File(entry));
        }
        limitMillis = message.limitMillis;
        stackSize = message.stackSize;
        loader = message.loader;
        plan = message.plan;
    }

    /** The next request, its length first; null at the end of the stream. */
    static Request read(DataInputStream in) throws IOException {
        byte[] bytes;
        try {
            bytes = new byte[in.readInt()];
            in.readFully(bytes);
        } catch (EOFException e) {
            return null;
        }
        return decode(bytes);
    }

    private static Request decode(byte[] bytes) throws IOException {
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

    private static Subject subject(recrash.wire.Subject subject) {
        Surroundings around = subject.surroundings;
        Map<String, String> properties = new LinkedHashMap<>();
        for (Property property : around.systemProperties) {
            properties.put(property.name, property.value);
        }
        return new Subject(subject.name, subject.thread)
                .method(subject.owner, subject.method, subject.descriptor, subject.access)
                .capturePoint(subject.capturePoint)
                .surroundings(around.locale, around.timeZone, around.charset, properties,
                        around.jvmArguments);
    }
}
