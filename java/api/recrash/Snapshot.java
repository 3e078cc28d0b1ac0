package recrash;

import java.nio.file.Path;

/**
 * The name that {@link recrash.junit.Snapshot} had before tests had a package of their own.
 *
 * @deprecated new tests name {@code recrash.junit.Snapshot}
 */
@Deprecated
public final class Snapshot {
    private final recrash.junit.Snapshot snapshot;

    private Snapshot(recrash.junit.Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    public static Snapshot load(Class<?> test, String name) {
        return new Snapshot(recrash.junit.Snapshot.load(test, name));
    }

    public static Snapshot open(Path file, ClassLoader loader) {
        return new Snapshot(recrash.junit.Snapshot.open(file, loader));
    }

    public Frame innermost() {
        return new Frame(snapshot.innermost());
    }

    public Frame frame(int index) {
        return new Frame(snapshot.frame(index));
    }

    public Snapshot in(ClassLoader loader) {
        return new Snapshot(snapshot.in(loader));
    }

    public String threadName() {
        return snapshot.threadName();
    }

    @Override
    public String toString() {
        return snapshot.toString();
    }
}
