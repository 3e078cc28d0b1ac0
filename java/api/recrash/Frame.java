package recrash;

/**
 * The name that {@link recrash.junit.Frame} had before tests had a package of their own.
 *
 * @deprecated new tests name {@code recrash.junit.Frame}
 */
@Deprecated
public final class Frame {
    private final recrash.junit.Frame frame;

    Frame(recrash.junit.Frame frame) {
        this.frame = frame;
    }

    public Frame withoutStatics() {
        return new Frame(frame.withoutStatics());
    }

    public Frame withoutPatches() {
        return new Frame(frame.withoutPatches());
    }

    public Frame restore() {
        frame.restore();
        return this;
    }

    public void putBack() {
        frame.putBack();
    }

    public <T> T receiver() {
        return frame.receiver();
    }

    public <T> T argument(int number) {
        return frame.argument(number);
    }

    public <T> T invoke() {
        return frame.invoke();
    }

    @Override
    public String toString() {
        return frame.toString();
    }
}
