package java.lang;

/** Stands for a throwable where an entry is captured; its stack trace is that of the entry. */
final class $RecrashArrival extends Throwable {
    private static final long serialVersionUID = 1;
}
