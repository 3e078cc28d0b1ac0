package recrash.synth;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import recrash.wire.Command;
import recrash.wire.Greeting;
import recrash.wire.Programs;

/**
 * A JVM that runs straight-line programs for {@code recrash synth}: classes and members are named once and then go by
 * number, a program is a list of calls, and the answer says what was thrown where and which probes were passed.
 *
 * <p>A program that takes too long ends the JVM, with an answer: nothing else stops a thread for certain.
 */
public final class Main {
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
        ByteArrayOutputStream greeting = new ByteArrayOutputStream();
        new Greeting(arguments[0], Programs.VERSION).write(new DataOutputStream(greeting));
        send(out, greeting);
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
                case Command.BEGIN:
                    begin(Command.Begin.read(in));
                    break;
                case Command.DEFINE:
                    Command.Define woven = Command.Define.read(in);
                    members.woven(woven.name, woven.bytes);
                    break;
                case Command.MEMBER:
                    Command.Member member = Command.Member.read(in);
                    members.add(member.kind, member.owner, member.name, member.descriptor);
                    break;
                case Command.FRESH:
                    members.fresh();
                    break;
                case Command.RUN:
                    run(Command.Run.read(in));
                    break;
                default:
                    throw new IOException("unknown command " + command);
            }
        }
    }

    private void begin(Command.Begin begin) throws IOException {
        if (begin.version != Programs.VERSION) {
            throw new IOException("recrash speaks version " + begin.version + " of the protocol, this jar knows version "
                    + Programs.VERSION + ": they come from different builds of recrash");
        }
        members.classPath(begin.classPath);
    }

    private void run(Command.Run command) throws IOException {
        for (byte[] program : command.programs) {
            Run run = new Run(members, program);
            watch.run(run, command.limitMillis);
            run.answer(out);
        }
        out.flush();
    }

    /** A message goes behind its length. */
    static void send(DataOutputStream out, ByteArrayOutputStream message) throws IOException {
        out.writeInt(message.size());
        message.writeTo(out);
    }

    private static final class Nowhere extends OutputStream {
        @Override
        public void write(int b) {}

        @Override
        public void write(byte[] bytes, int from, int length) {}
    }
}
