package recrash.synth;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * A JVM that runs straight-line programs for {@code recrash synth}: classes and members are named once and then go by
 * number, a program is a list of calls, and the answer says what was thrown where and which probes were passed.
 *
 * <p>A program that takes too long ends the JVM, with an answer: nothing else stops a thread for certain.
 */
public final class Main {
    private static final int CLASS_PATH = 1;
    private static final int CLASS = 2;
    private static final int MEMBER = 3;
    private static final int FRESH = 4;
    private static final int RUN = 5;

    private final DataInputStream in;
    private final DataOutputStream out;
    private final Members members = new Members();
    private final Watch watch;

    private Main(DataInputStream in, DataOutputStream out) {
        this.in = in;
        this.out = out;
        watch = new Watch(out);
    }

    public static void main(String[] arguments) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
        OutputStream answers = new FileOutputStream(FileDescriptor.out);
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(answers, 1 << 16));
        PrintStream nowhere = new PrintStream(new Nowhere());
        System.setOut(nowhere);
        System.setErr(nowhere);
        System.setIn(new ByteArrayInputStream(new byte[0]));
        out.writeUTF(arguments[0]);
        out.flush();
        Guard.install();
        try {
            new Main(in, out).serve();
        } catch (EOFException e) {
            // Nobody asks any more.
        }
        Runtime.getRuntime().halt(0);
    }

    private void serve() throws IOException {
        while (true) {
            int command = in.readUnsignedByte();
            switch (command) {
                case CLASS_PATH:
                    members.classPath(strings());
                    break;
                case CLASS:
                    members.woven(in.readUTF(), bytes());
                    break;
                case MEMBER:
                    members.add(in.readUnsignedByte(), in.readUTF(), in.readUTF(), in.readUTF());
                    break;
                case FRESH:
                    members.fresh();
                    break;
                case RUN:
                    run();
                    break;
                default:
                    throw new IOException("unknown command " + command);
            }
        }
    }

    private void run() throws IOException {
        int programs = in.readInt();
        int limit = in.readInt();
        for (int i = 0; i < programs; i++) {
            byte[] program = bytes();
            Run run = new Run(members, program);
            watch.run(run, limit);
            run.answer(out);
        }
        out.flush();
    }

    private static final class Nowhere extends OutputStream {
        @Override
        public void write(int b) {}

        @Override
        public void write(byte[] bytes, int from, int length) {}
    }

    private String[] strings() throws IOException {
        String[] strings = new String[in.readInt()];
        for (int i = 0; i < strings.length; i++) {
            strings[i] = in.readUTF();
        }
        return strings;
    }

    private byte[] bytes() throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }
}
