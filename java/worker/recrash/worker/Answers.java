package recrash.worker;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;
import recrash.wire.Answer;
import recrash.wire.TraceLine;
import recrash.wire.Worker;

/**
 * The stream of answers. Each begins with a token that only recrash and this JVM know, because a candidate may still
 * write to file descriptor 1 behind the back of {@code System.out}.
 */
final class Answers {
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
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        Answer.ready(new DataOutputStream(message), Worker.VERSION);
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
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(message);
        String output = printed.tail();
        switch (outcome.kind) {
            case Outcome.THREW:
                Answer.threw(data, chain(outcome.thrown), restart, output);
                break;
            case Outcome.NOT_RESTORED:
                Answer.notRestored(data, String.valueOf(outcome.text), restart, output);
                break;
            case Outcome.TIMED_OUT:
                Answer.timedOut(data, outcome.text, restart, output);
                break;
            case Outcome.EXITED:
                Answer.exited(data, outcome.text, restart, output);
                break;
            default:
                Answer.returned(data, restart, output);
                break;
        }
        send(message);
    }

    private void send(ByteArrayOutputStream message) throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(token);
        DataOutputStream data = new DataOutputStream(whole);
        data.writeInt(message.size());
        message.writeTo(data);
        out.write(whole.toByteArray());
        out.flush();
    }

    private static recrash.wire.Thrown[] chain(List<Thrown> chain) {
        recrash.wire.Thrown[] messages = new recrash.wire.Thrown[chain.size()];
        for (int i = 0; i < messages.length; i++) {
            Thrown thrown = chain.get(i);
            TraceLine[] trace = new TraceLine[thrown.trace.length];
            for (int line = 0; line < trace.length; line++) {
                trace[line] = line(thrown.trace[line]);
            }
            messages[i] = new recrash.wire.Thrown(thrown.type, thrown.message, thrown.printable, thrown.restored, trace);
        }
        return messages;
    }

    private static TraceLine line(StackTraceElement element) {
        return new TraceLine(element.getClassName(), element.getMethodName(), element.getFileName(),
                element.getLineNumber(), module(element));
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
