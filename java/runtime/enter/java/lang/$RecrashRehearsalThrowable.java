package java.lang;

/** Passes through the recorder once at start, so that nothing is used for the first time in a handler. */
final class $RecrashRehearsalThrowable extends Throwable {
    private static final long serialVersionUID = 1;

    $RecrashRehearsalThrowable() {
        super(null, null, false, false);
    }
}
