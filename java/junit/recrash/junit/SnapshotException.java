package recrash.junit;

/** A snapshot cannot be read or restored. The message is one sentence that names the file, the reason and the way out. */
public final class SnapshotException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SnapshotException(String message) {
        super(message);
    }

    public SnapshotException(String message, Throwable cause) {
        super(message, cause);
    }
}
