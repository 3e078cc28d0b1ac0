package recrash.worker;

import java.util.List;
import recrash.wire.Answer;

/** What became of a candidate. */
final class Outcome {
    static final int RETURNED = Answer.RETURNED;
    static final int THREW = Answer.THREW;
    static final int NOT_RESTORED = Answer.NOT_RESTORED;
    static final int TIMED_OUT = Answer.TIMED_OUT;
    static final int EXITED = Answer.EXITED;

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
