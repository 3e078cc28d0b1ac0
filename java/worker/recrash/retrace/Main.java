package recrash.retrace;

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
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import recrash.synth.Guard;
import recrash.wire.Greeting;
import recrash.wire.Line;
import recrash.wire.Retrace;
import recrash.wire.RetraceNumbers;
import recrash.wire.Retraced;

/**
 * A JVM for {@code recrash minimize}: it runs the program's driver step by step, with rounds of its loops left out, and plays
 * what the driver did again, with calls left out.
 *
 * <p>What takes too long ends the JVM, with an answer: nothing else stops a thread for certain.
 */
public final class Main {
    private static final int MOST_FRAMES = 256;

    private final DataInputStream in;
    private final DataOutputStream out;
    private World world;
    private String[] arguments = {};
    private Session.Units units = new Session.Units();
    private final Map<Long, Object> answers = new HashMap<>();
    private List<Event> events = new ArrayList<>();
    private int objects;
    private Replay replay;

    private Main(DataInputStream in, DataOutputStream out) {
        this.in = in;
        this.out = out;
    }

    public static void main(String[] typed) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
        OutputStream answers = new FileOutputStream(FileDescriptor.out);
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(answers, 1 << 16));
        PrintStream nowhere = new PrintStream(new Nowhere());
        System.setOut(nowhere);
        System.setErr(nowhere);
        System.setIn(new ByteArrayInputStream(new byte[0]));
        ByteArrayOutputStream greeting = new ByteArrayOutputStream();
        new Greeting(typed[0], RetraceNumbers.VERSION).write(new DataOutputStream(greeting));
        send(out, greeting);
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
                case Retrace.BEGIN:
                    Retrace.Begin begin = Retrace.Begin.read(in);
                    world = new World(begin.classPath, begin.driver);
                    arguments = begin.arguments;
                    break;
                case Retrace.DRIVE:
                    Retrace.Drive drive = Retrace.Drive.read(in);
                    within(drive.limitMillis, () -> drive(drive));
                    break;
                case Retrace.LOAD:
                    Retrace.Load load = Retrace.Load.read(in);
                    events = Decoder.events(load.steps);
                    objects = load.objects;
                    replay = null;
                    break;
                case Retrace.PLAY:
                    Retrace.Play play = Retrace.Play.read(in);
                    within(play.limitMillis, () -> play(play));
                    break;
                default:
                    throw new IOException("unknown command " + command);
            }
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    /** On a thread of its own: deep recursion is part of many a crash. */
    private void within(int limitMillis, Work work) throws IOException {
        IOException[] failed = new IOException[1];
        Thread thread = new Thread(null, () -> {
            try {
                Guard.up = true;
                work.run();
            } catch (IOException e) {
                failed[0] = e;
            } finally {
                Guard.up = false;
            }
        }, "main", 1L << 24);
        thread.setDaemon(true);
        thread.start();
        try {
            thread.join(limitMillis + 500L);
        } catch (InterruptedException e) {
            // Nobody has a reason to.
        }
        if (thread.isAlive()) {
            ByteArrayOutputStream message = new ByteArrayOutputStream();
            Retraced.tooLong(new DataOutputStream(message));
            send(out, message);
            Runtime.getRuntime().halt(0);
        }
        if (failed[0] != null) {
            throw failed[0];
        }
    }

    private static BitSet bits(byte[] bytes) {
        return bytes == null ? null : BitSet.valueOf(bytes);
    }

    private void drive(Retrace.Drive drive) throws IOException {
        if (drive.fresh) {
            world.fresh();
        }
        boolean first = drive.left == null;
        if (first) {
            units = new Session.Units();
            answers.clear();
        }
        Session session = new Session(world, units, answers, bits(drive.left), drive.limitMillis, drive.adopt);
        Throwable thrown = null;
        String unsupported = null;
        boolean late = false;
        Thread.currentThread().setContextClassLoader(session.loader);
        try {
            MethodCode main = session.driverMethod(world.driver, "main", "([Ljava/lang/String;)V");
            if (main == null) {
                throw new Interpreter.Unsupported(world.driver + " without main(String[])");
            }
            session.initialize(world.driver);
            session.interpreter.run(main, new Object[] {arguments.clone()}, new Tag[1], Session.MAIN);
        } catch (Interpreter.Unsupported e) {
            unsupported = e.getMessage();
        } catch (Session.TimeUp e) {
            late = true;
        } catch (Throwable e) {
            thrown = e;
        }
        if (drive.adopt) {
            events = session.trace.events;
            objects = session.trace.objects();
            replay = null;
        }
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(message);
        if (unsupported != null) {
            Retraced.unsupported(data, unsupported);
        } else if (late) {
            Retraced.late(data);
        } else {
            boolean byDriver = thrown != null && session.failed != thrown;
            byte[] decision = byDriver && session.decision != null ? Encoder.decision(session.decision) : null;
            byte[] encoded = drive.adopt ? Encoder.events(events) : null;
            Retraced.drove(data, thrown == null ? null : thrown.getClass().getName(), message(thrown), lines(thrown), byDriver,
                    session.site, session.failing, loops(), decision, encoded);
        }
        send(out, message);
    }

    private int[] loops() {
        int[] loops = new int[units.loops.size()];
        for (int i = 0; i < loops.length; i++) {
            loops[i] = units.loops.get(i);
        }
        return loops;
    }

    private void play(Retrace.Play play) throws IOException {
        if (replay == null || play.fresh) {
            if (play.fresh) {
                world.fresh();
            }
            replay = new Replay(world, events, objects);
        }
        replay.run(play.kept, play.looks, play.roots);
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(message);
        Throwable thrown = replay.thrown;
        ByteArrayOutputStream gave = new ByteArrayOutputStream();
        DataOutputStream values = new DataOutputStream(gave);
        values.writeInt(play.watched.length);
        for (int watched : play.watched) {
            Object value = watched < replay.gave.length ? replay.gave[watched] : null;
            Encoder.operand(values, value);
        }
        Object[] expected = play.models ? replay.expected(play.kept) : null;
        byte[] model = null;
        if (expected != null) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            Encoder.operand(new DataOutputStream(bytes), expected[0]);
            model = bytes.toByteArray();
        }
        Retraced.played(data, replay.at, thrown == null ? null : thrown.getClass().getName(), message(thrown), lines(thrown),
                replay.unresolved, replay.same, gave.toByteArray(), replay.pure.toByteArray(), replay.changed, model);
        send(out, message);
    }

    /** Messages and traces are methods of the program's own exceptions, which may fail. */
    private static String message(Throwable thrown) {
        try {
            String message = thrown == null ? null : thrown.getMessage();
            return message == null || message.length() <= 2000 ? message : message.substring(0, 2000);
        } catch (Throwable e) {
            return null;
        }
    }

    private static Line[] lines(Throwable thrown) {
        StackTraceElement[] trace;
        try {
            trace = thrown == null ? new StackTraceElement[0] : thrown.getStackTrace();
        } catch (Throwable e) {
            trace = new StackTraceElement[0];
        }
        List<Line> lines = new ArrayList<>();
        for (StackTraceElement line : trace) {
            String name = line.getClassName();
            boolean ours = name.startsWith("recrash.retrace.") || name.startsWith("jdk.internal.reflect.")
                    || name.startsWith("java.lang.reflect.") || name.startsWith("sun.reflect.");
            if (ours || lines.size() == MOST_FRAMES) {
                break;
            }
            lines.add(new Line(line.getClassName(), line.getMethodName(), line.getLineNumber()));
        }
        return lines.toArray(new Line[0]);
    }

    private static void send(DataOutputStream out, ByteArrayOutputStream message) throws IOException {
        out.writeInt(message.size());
        message.writeTo(out);
        out.flush();
    }

    private static final class Nowhere extends OutputStream {
        @Override
        public void write(int b) {}

        @Override
        public void write(byte[] bytes, int from, int length) {}
    }
}
