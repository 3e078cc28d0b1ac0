/** One kind of object: made before the capture, checked after the restore in another JVM. */
abstract class Case {
    final String name;

    Case(String name) {
        this.name = name;
    }

    abstract Object make() throws Exception;

    abstract void check(Object restored) throws Exception;

    static void same(Object expected, Object found) {
        if (expected == null ? found != null : !expected.equals(found)) {
            throw new AssertionError("expected " + expected + ", found " + found);
        }
    }

    static void that(boolean condition) {
        if (!condition) {
            throw new AssertionError("does not hold");
        }
    }

    /** A case whose restored object equals a newly made one. */
    interface Maker {
        Object make() throws Exception;
    }

    interface Checker<T> {
        void check(T restored) throws Exception;
    }

    static Case equal(String name, Maker maker) {
        return new Case(name) {
            @Override
            Object make() throws Exception {
                return maker.make();
            }

            @Override
            void check(Object restored) throws Exception {
                Object expected = maker.make();
                same(expected, restored);
                same(restored, expected);
                same(expected.getClass(), restored.getClass());
                same(expected.hashCode(), restored.hashCode());
                same(expected.toString(), restored.toString());
            }
        };
    }

    static <T> Case of(String name, Maker maker, Checker<T> checker) {
        return new Case(name) {
            @Override
            Object make() throws Exception {
                return maker.make();
            }

            @Override
            @SuppressWarnings("unchecked")
            void check(Object restored) throws Exception {
                that(restored != null);
                checker.check((T) restored);
            }
        };
    }
}
