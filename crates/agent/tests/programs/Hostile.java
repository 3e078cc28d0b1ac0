// exit 0
// snapshot hostile Hostile <- Hostile$Nested
//   1 Hostile.deep(Hostile$Value)
//   0 Hostile.start("go")
//   0 Hostile$Job.run(this=Hostile$Job)
/** An exception and arguments whose every method tells when it is called: capture must not call any. */
public class Hostile extends RuntimeException {
    Hostile(Throwable cause) {
        super("hostile", cause);
    }

    static void tell(String what) {
        System.out.println("called: " + what);
    }

    @Override
    public String getMessage() {
        tell("getMessage");
        throw new IllegalStateException("from getMessage");
    }

    @Override
    public Throwable getCause() {
        tell("getCause");
        throw new IllegalStateException("from getCause");
    }

    @Override
    public StackTraceElement[] getStackTrace() {
        tell("getStackTrace");
        return null;
    }

    @Override
    public String toString() {
        tell("toString");
        return null;
    }

    @Override
    public int hashCode() {
        tell("hashCode");
        return 0;
    }

    @Override
    public boolean equals(Object other) {
        tell("equals");
        return true;
    }

    static class Nested extends RuntimeException {
        @Override
        public String toString() {
            tell("Nested.toString");
            throw new IllegalStateException("from toString");
        }
    }

    static class Value {
        @Override
        public String toString() {
            tell("Value.toString");
            return "";
        }

        @Override
        public int hashCode() {
            tell("Value.hashCode");
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            tell("Value.equals");
            return true;
        }
    }

    static class MyThread extends Thread {
        MyThread(Runnable job) {
            super(job, "hostile");
        }

        @Override
        public long getId() {
            tell("getId");
            return -1;
        }

        @Override
        public String toString() {
            tell("Thread.toString");
            return "";
        }
    }

    static void deep(Value value) {
        if (value != null) {
            throw new Nested();
        }
        tell("never");
    }

    static void start(String text) {
        try {
            deep(new Value());
        } catch (Nested e) {
            throw new Hostile(e);
        }
    }

    static class Job implements Runnable {
        @Override
        public void run() {
            System.out.println("running");
            start("go");
        }
    }

    public static void main(String[] args) throws Exception {
        Thread thread = new MyThread(new Job());
        thread.setUncaughtExceptionHandler((t, e) -> System.out.println("handled"));
        thread.start();
        thread.join();
    }
}
