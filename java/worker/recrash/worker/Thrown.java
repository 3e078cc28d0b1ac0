package recrash.worker;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import recrash.junit.Subject;

/** A throwable as plain text, taken out of the candidate's class loader. */
final class Thrown {
    private static final int MAX_CAUSES = 100;
    private static final int MAX_MESSAGE = 10_000;

    final String type;
    final String message;
    /** Whether it can be printed; a runner of tests cannot report what fails at that. */
    final boolean printable;
    /** The object of the snapshot that it is; 0 when the trial has made it. */
    final int restored;
    final StackTraceElement[] trace;

    private Thrown(Throwable throwable) {
        restored = Subject.restored(throwable);
        printable = isPrintable(throwable);
        type = throwable.getClass().getName();
        String text;
        StackTraceElement[] elements;
        // All of these are methods that the program may have overridden, and that may fail in turn.
        try {
            text = throwable.getMessage();
        } catch (Throwable e) {
            text = null;
        }
        try {
            elements = throwable.getStackTrace();
        } catch (Throwable e) {
            elements = null;
        }
        message = text != null && text.length() > MAX_MESSAGE ? text.substring(0, MAX_MESSAGE) : text;
        trace = elements == null ? new StackTraceElement[0] : elements;
    }

    private static boolean isPrintable(Throwable throwable) {
        try {
            throwable.printStackTrace(new PrintWriter(new Nowhere()));
            return true;
        } catch (Throwable e) {
            return false;
        }
    }

    private static final class Nowhere extends Writer {
        @Override
        public void write(char[] text, int from, int length) {}

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    /** The throwable and its causes, outermost first. */
    static List<Thrown> chain(Throwable throwable) {
        List<Thrown> chain = new ArrayList<>();
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Throwable next = throwable;
        while (next != null && chain.size() < MAX_CAUSES && seen.add(next)) {
            chain.add(new Thrown(next));
            try {
                next = next.getCause();
            } catch (Throwable e) {
                next = null;
            }
        }
        return chain;
    }
}
