import java.lang.ref.WeakReference;

// flags -Xmx64m
// exit 0
/** Arguments of exceptions that were caught and forgotten are garbage, as without recrash: not one collection later. */
public class Forgotten {
    static class Stackless extends RuntimeException {
        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    static class Failing {
        final byte[] large;

        Failing(byte[] large) {
            this(large, 0);
        }

        Failing(byte[] large, int at) {
            this.large = large;
            large[at] = 1;
            throw new IllegalStateException("at " + at);
        }
    }

    static void fail(byte[] large, RuntimeException e) {
        large[0] = 1;
        throw e;
    }

    static WeakReference<byte[]> caught(RuntimeException e) {
        byte[] large = new byte[4 << 20];
        try {
            fail(large, e);
        } catch (RuntimeException expected) {
            large[1] = 1;
        }
        return new WeakReference<>(large);
    }

    static WeakReference<byte[]> caughtFromConstructor() {
        byte[] large = new byte[4 << 20];
        try {
            new Failing(large);
        } catch (IllegalStateException expected) {
            large[1] = 1;
        }
        return new WeakReference<>(large);
    }

    static void tell(String what, WeakReference<byte[]> seen) {
        System.gc();
        System.out.println(what + (seen.get() == null ? " is forgotten" : " is still there"));
    }

    public static void main(String[] args) {
        for (int i = 0; i < 100; i++) {
            caught(new IllegalStateException("number " + i));
        }
        tell("an exception", caught(new IllegalStateException()));
        tell("one without a stack trace", caught(new Stackless()));
        tell("one out of constructors", caughtFromConstructor());
    }
}
