package recrash.synth;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import recrash.wire.Line;
import recrash.wire.Prepared;
import recrash.wire.Progress;
import recrash.wire.Ran;
import recrash.wire.Statement;

/** One program: each statement makes the value that later ones refer to by its number. */
final class Run implements Runnable {
    private static final int MOST_FRAMES = 64;

    private final Members members;
    private final byte[] program;
    private Object[] values = {};
    private int statement;
    private int outcome = Ran.PASSED;
    private Throwable thrown;
    private int[] passed = {};
    private String refused;

    Run(Members members, byte[] program) {
        this.members = members;
        this.program = program;
    }

    @Override
    public void run() {
        Thread.currentThread().setContextClassLoader(members.loader());
        Probe.take();
        Guard.refused = null;
        Guard.up = true;
        try {
            interpret();
        } catch (InvocationTargetException e) {
            outcome = Ran.THREW;
            thrown = e.getTargetException();
        } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
            outcome = Ran.THREW;
            thrown = e;
        } catch (Throwable e) {
            outcome = Ran.IMPOSSIBLE;
            thrown = e;
        } finally {
            Guard.up = false;
            refused = Guard.refused;
            passed = Probe.take();
            Thread.interrupted();
        }
    }

    private void interpret() throws IOException, ReflectiveOperationException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(program));
        values = new Object[in.readInt()];
        for (statement = 0; statement < values.length; statement++) {
            values[statement] = next(in, values);
        }
    }

    private Object next(DataInputStream in, Object[] values)
            throws IOException, ReflectiveOperationException {
        switch (in.readUnsignedByte()) {
            case Statement.NULL:
                return null;
            case Statement.INT:
                Statement.Int number = Statement.Int.read(in);
                return narrowed((char) number.kind, number.value);
            case Statement.LONG:
                return Statement.Long.read(in).value;
            case Statement.FLOAT:
                return Statement.Float.read(in).value;
            case Statement.DOUBLE:
                return Statement.Double.read(in).value;
            case Statement.TEXT:
                return Statement.Text.read(in).value;
            case Statement.TYPE:
                return members.get(Statement.Type.read(in).member);
            case Statement.NEW:
                Statement.New made = Statement.New.read(in);
                return ((Constructor<?>) members.get(made.member)).newInstance(arguments(made.arguments, values));
            case Statement.CALL:
                Statement.Call call = Statement.Call.read(in);
                Method method = (Method) members.get(call.member);
                Object on = receiver(call.receiver, values);
                return method.invoke(on, arguments(call.arguments, values));
            case Statement.STATIC_FIELD:
                return ((Field) members.get(Statement.StaticField.read(in).member)).get(null);
            case Statement.ARRAY:
                return array(Statement.Array.read(in), values);
            case Statement.STAND_IN:
                return standIn(Statement.StandIn.read(in), values);
            case Statement.SET_FIELD:
                Statement.SetField set = Statement.SetField.read(in);
                Field field = (Field) members.get(set.member);
                field.set(receiver(set.object, values), values[set.value]);
                return null;
            default:
                throw new IOException("no such statement");
        }
    }

    private Object array(Statement.Array statement, Object[] values) throws ReflectiveOperationException {
        Class<?> component = (Class<?>) members.get(statement.member);
        Object[] elements = arguments(statement.elements, values);
        Object array = Array.newInstance(component, elements.length);
        for (int i = 0; i < elements.length; i++) {
            Array.set(array, i, elements[i]);
        }
        return array;
    }

    private Object standIn(Statement.StandIn statement, Object[] values) throws ReflectiveOperationException {
        Constructor<?> constructor = (Constructor<?>) members.get(statement.member);
        Object standIn = constructor.newInstance(arguments(statement.arguments, values));
        for (Prepared answer : statement.answers) {
            ((Field) members.get(answer.member)).set(standIn, values[answer.value]);
        }
        return standIn;
    }

    /** Null for static members only. */
    private static Object receiver(int receiver, Object[] values) {
        if (receiver >= 0 && values[receiver] == null) {
            throw new IllegalArgumentException("no receiver");
        }
        return receiver < 0 ? null : values[receiver];
    }

    private static Object[] arguments(int[] numbers, Object[] values) {
        Object[] arguments = new Object[numbers.length];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = values[numbers[i]];
        }
        return arguments;
    }

    private static Object narrowed(char kind, int value) {
        switch (kind) {
            case 'Z':
                return value != 0;
            case 'B':
                return (byte) value;
            case 'C':
                return (char) value;
            case 'S':
                return (short) value;
            default:
                return value;
        }
    }

    void answer(DataOutputStream out) throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(message);
        switch (outcome) {
            case Ran.PASSED:
                Ran.passed(data, progress());
                break;
            case Ran.THREW:
                Ran.threw(data, progress(), thrown.getClass().getName(), shortened(message()), lines());
                break;
            default:
                Ran.impossible(data, progress(), thrown.getClass().getName(), shortened(message()));
                break;
        }
        Main.send(out, message);
    }

    private Progress progress() {
        boolean[] gave = new boolean[statement];
        for (int i = 0; i < statement; i++) {
            gave[i] = values[i] != null;
        }
        return new Progress(statement, refused == null ? null : shortened(refused), passed, gave);
    }

    private Line[] lines() {
        StackTraceElement[] trace = trace();
        Line[] lines = new Line[Math.min(MOST_FRAMES, trace.length)];
        for (int i = 0; i < lines.length; i++) {
            lines[i] = new Line(trace[i].getClassName(), trace[i].getMethodName(), trace[i].getLineNumber());
        }
        return lines;
    }

    /** Messages and traces are methods of the program's own exceptions, which may fail. */
    private String message() {
        try {
            String message = String.valueOf(thrown.getMessage());
            // A class that could not be initialized: the reason is the first failure's.
            Throwable cause = thrown instanceof LinkageError ? thrown.getCause() : null;
            return cause == null ? message : message + ": " + cause;
        } catch (Throwable e) {
            return "";
        }
    }

    private StackTraceElement[] trace() {
        try {
            return thrown.getStackTrace();
        } catch (Throwable e) {
            return new StackTraceElement[0];
        }
    }

    private static String shortened(String text) {
        return text.length() > 2000 ? text.substring(0, 2000) : text;
    }

    static void answerTimeout(DataOutputStream out) throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        Ran.tooLong(new DataOutputStream(message));
        Main.send(out, message);
    }
}
