package recrash.worker;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;

/**
 * The stream of answers. Each begins with a token that only recrash and this JVM know, because a candidate may still
 * write to file descriptor 1 behind the back of {@code System.out}.
 */
final class Answers {
    private static final int PROTOCOL = 3;
    private static final Method MODULE_NAME = moduleName();

    private final byte[] token;
    private final Printed printed;
    private final OutputStream out = new FileOutputStream(FileDescriptor.out);
    private boolean expected;

    Answers(String token, Printed printed) {
        this.token = token.getBytes(StandardCharsets.US_ASCII);
        this.printed = printed;
    }

    synchronized void ready() throws IOException {
        Message message = new Message();
        message.data.writeByte(0);
        message.data.writeInt(PROTOCOL);
        send(message);
    }

    synchronized void expectOne() {
        expected = true;
    }

    synchronized void doneIfExpected(Outcome outcome) {
        try {
            done(outcome, true);
        } catch (IOException e) {
            // Nobody listens any more, and the JVM is ending.
        }
    }

    synchronized void done(Outcome outcome, boolean restart) throws IOException {
        if (!expected) {
            return;
        }
        expected = false;
        Message message = new Message();
        message.data.writeByte(outcome.kind);
        switch (outcome.kind) {
            case Outcome.THREW:
                message.data.writeInt(outcome.thrown.size());
                for (Thrown thrown : outcome.thrown) {
                    message.thrown(thrown);
                }
                break;
            case Outcome.NOT_RESTORED:
                message.string(outcome.text);
                break;
            case Outcome.TIMED_OUT:
            case Outcome.EXITED:
                message.optional(outcome.text);
                break;
            default:
                break;
        }
        message.data.writeBoolean(restart);
        message.string(printed.tail());
        send(message);
    }

    private void send(Message message) throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(token);
        DataOutputStream data = new DataOutputStream(whole);
        data.writeInt(message.bytes.size());
        message.bytes.writeTo(data);
        out.write(whole.toByteArray());
        out.flush();
    }

    private static final class Message {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final DataOutputStream data = new DataOutputStream(bytes);

        void string(String text) throws IOException {
            byte[] utf8 = String.valueOf(text).getBytes(StandardCharsets.UTF_8);
            data.writeInt(utf8.length);
            data.write(utf8);
        }

        void optional(String text) throws IOException {
            data.writeBoolean(text != null);
            if (text != null) {
                string(text);
            }
        }

        void thrown(Thrown thrown) throws IOException {
            string(thrown.type);
            optional(thrown.message);
            data.writeBoolean(thrown.printable);
            data.writeInt(thrown.trace.length);
            for (StackTraceElement element : thrown.trace) {
                string(element.getClassName());
                string(element.getMethodName());
                optional(element.getFileName());
                data.writeInt(element.getLineNumber());
                optional(module(element));
            }
        }
    }

    /** {@code StackTraceElement.getModuleName} is newer than the class files of this jar. */
    private static Method moduleName() {
        try {
            return StackTraceElement.class.getMethod("getModuleName");
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static String module(StackTraceElement element) {
        try {
            return MODULE_NAME == null ? null : (String) MODULE_NAME.invoke(element);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }
}
