package recrash.synth;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** One program: each statement makes the value that later ones refer to by its number. */
final class Run implements Runnable {
    private static final int NULL = 0;
    private static final int INT = 1;
    private static final int LONG = 2;
    private static final int FLOAT = 3;
    private static final int DOUBLE = 4;
    private static final int STRING = 5;
    private static final int TYPE = 6;
    private static final int NEW = 7;
    private static final int CALL = 8;
    private static final int STATIC_FIELD = 9;
    private static final int ARRAY = 10;
    private static final int STAND_IN = 11;
    private static final int SET_FIELD = 12;

    /** How a program ended. */
    private static final int PASSED = 0;

    private static final int THREW = 1;
    private static final int TOO_LONG = 2;
    /** It is no program: a class is missing, a value does not fit. Nothing of the program's code threw. */
    private static final int IMPOSSIBLE = 3;

    private static final int MOST_FRAMES = 64;

    private final Members members;
    private final byte[] program;
    private Object[] values = {};
    private int statement;
    private int outcome = PASSED;
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
            outcome = THREW;
            thrown = e.getTargetException();
        } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
            outcome = THREW;
            thrown = e;
        } catch (Throwable e) {
            outcome = IMPOSSIBLE;
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
        values = new Object[in.readUnsignedShort()];
        for (statement = 0; statement < values.length; statement++) {
            values[statement] = next(in, values);
        }
    }

    private Object next(DataInputStream in, Object[] values)
            throws IOException, ReflectiveOperationException {
        switch (in.readUnsignedByte()) {
            case NULL:
                return null;
            case INT:
                return narrowed(in.readChar(), in.readInt());
            case LONG:
                return in.readLong();
            case FLOAT:
                return in.readFloat();
            case DOUBLE:
                return in.readDouble();
            case STRING:
                return in.readUTF();
            case TYPE:
                return members.get(in.readInt());
            case NEW:
                Constructor<?> constructor = (Constructor<?>) members.get(in.readInt());
                return constructor.newInstance(arguments(in, values));
            case CALL:
                Method method = (Method) members.get(in.readInt());
                Object on = receiver(in, values);
                return method.invoke(on, arguments(in, values));
            case STATIC_FIELD:
                return ((Field) members.get(in.readInt())).get(null);
            case ARRAY:
                Class<?> component = (Class<?>) members.get(in.readInt());
                Object[] elements = arguments(in, values);
                Object array = Array.newInstance(component, elements.length);
                for (int i = 0; i < elements.length; i++) {
                    Array.set(array, i, elements[i]);
                }
                return array;
            case STAND_IN:
                Constructor<?> made = (Constructor<?>) members.get(in.readInt());
                Object standIn = made.newInstance(arguments(in, values));
                for (int answers = in.readUnsignedByte(); answers > 0; answers--) {
                    Field answer = (Field) members.get(in.readInt());
                    answer.set(standIn, values[in.readUnsignedShort()]);
                }
                return standIn;
            case SET_FIELD:
                Field field = (Field) members.get(in.readInt());
                Object of = receiver(in, values);
                field.set(of, values[in.readUnsignedShort()]);
                return null;
            default:
                throw new IOException("no such statement");
        }
    }

    /** Null for static members only. */
    private static Object receiver(DataInputStream in, Object[] values) throws IOException {
        int receiver = in.readShort();
        if (receiver >= 0 && values[receiver] == null) {
            throw new IllegalArgumentException("no receiver");
        }
        return receiver < 0 ? null : values[receiver];
    }

    private static Object[] arguments(DataInputStream in, Object[] values) throws IOException {
        Object[] arguments = new Object[in.readUnsignedByte()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = values[in.readUnsignedShort()];
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
        out.writeByte(outcome);
        out.writeShort(statement);
        out.writeUTF(refused == null ? "" : shortened(refused));
        out.writeInt(passed.length);
        for (int probe : passed) {
            out.writeShort(probe);
        }
        out.writeShort(statement);
        for (int i = 0; i < statement; i++) {
            out.writeBoolean(values[i] != null);
        }
        if (outcome == PASSED) {
            return;
        }
        out.writeUTF(thrown.getClass().getName());
        out.writeUTF(shortened(message()));
        StackTraceElement[] trace = outcome == THREW ? trace() : new StackTraceElement[0];
        int frames = Math.min(MOST_FRAMES, trace.length);
        out.writeByte(frames);
        for (int i = 0; i < frames; i++) {
            out.writeUTF(trace[i].getClassName());
            out.writeUTF(trace[i].getMethodName());
            out.writeInt(trace[i].getLineNumber());
        }
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
        out.writeByte(TOO_LONG);
        out.writeShort(0);
        out.writeUTF("");
        out.writeInt(0);
        out.writeShort(0);
        out.writeUTF("");
        out.writeUTF("");
        out.writeByte(0);
    }
}
