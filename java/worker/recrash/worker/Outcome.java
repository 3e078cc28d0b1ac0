package recrash.worker;

import java.util.List;

/** What became of a candidate. Kinds are those of {@code message.rs}. */
final class Outcome {
    static final int RETURNED = 1;
    static final int THREW = 2;
    static final int NOT_RESTORED = 3;
    static final int TIMED_OUT = 4;
    static final int EXITED = 5;

    final int kind;
    /** The sentence of NOT_RESTORED, the place of TIMED_OUT and EXITED. */
    final String text;
    final List<Thrown> thrown;
    /** This JVM is no longer fit for another candidate. */
    final boolean restart;

    Outcome(int kind, String text, List<Thrown> thrown, boolean restart) {
        this.kind = kind;
        this.text = text;
        this.thrown = thrown;
        this.restart = restart;
    }
}
