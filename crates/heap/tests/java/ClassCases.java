import java.io.Serializable;
import java.lang.reflect.*;
import java.util.*;
import java.util.function.*;

/** Classes of the program: nested ones of every kind, enums, lambdas, proxies, throwables. */
class ClassCases {
    enum Planet {
        EARTH {
            @Override
            int moons() {
                return 1;
            }
        },
        MARS {
            @Override
            int moons() {
                return 2;
            }
        };

        int visits;

        abstract int moons();
    }

    static class Plugin {
        int number = 5;
        Missing missing;
        Missing[] more;
        static Missing shared;
        String text = String.valueOf("text");
        Object self = this;
        long big = 1L << 40;
    }

    record Point(int x, String name, List<Integer> more) {}

    record Keyed(Planet planet, Class<?> type, Object unit) {}

    static class Base {
        private int hidden = 1;
        protected final String text = String.valueOf("base");
    }

    static class Derived extends Base implements Serializable {
        private int hidden = 2;
        final Derived next;
        Object other;
        transient long big = 1L << 50;
        volatile float f = 1.5f;
        final boolean yes = hidden == 2;

        Derived(Derived next) {
            this.next = next;
        }
    }

    class Inner {
        final int x = 5;

        ClassCases outer() {
            return ClassCases.this;
        }
    }

    final int field;

    ClassCases(int field) {
        this.field = field;
    }

    private String describe(String s) {
        return s + field;
    }

    protected int twice(int x) {
        return 2 * x + field;
    }

    static class WithSuper extends ClassCases {
        WithSuper() {
            super(3);
        }

        IntUnaryOperator parent() {
            return super::twice;
        }

        @Override
        protected int twice(int x) {
            return -1;
        }
    }

    static class Oops extends Exception {
        final int code;

        Oops(String message, Throwable cause, int code) {
            super(message, cause);
            this.code = code;
        }
    }

    interface Length extends Function<String, Integer> {
        Integer apply(String text);
    }

    interface Greeter {
        String greet(String name);

        default String twice(String name) {
            return greet(name) + greet(name);
        }
    }

    static class Handler implements InvocationHandler {
        final String prefix;
        Object self;

        Handler(String prefix) {
            this.prefix = prefix;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] args) {
            return proxy == self ? prefix + args[0] : "wrong proxy";
        }
    }

    static Throwable thrown() {
        try {
            try {
                Object o = null;
                o.hashCode();
                return null;
            } catch (NullPointerException e) {
                throw new Oops("wrapped", e, 42);
            }
        } catch (Oops e) {
            e.addSuppressed(new IllegalStateException("suppressed"));
            return e;
        }
    }

    static List<Case> all() {
        return Arrays.asList(
                Case.<Derived>of("fields of every kind, inherited and shadowed, in a cycle", () -> {
                    Derived a = new Derived(null);
                    Derived b = new Derived(a);
                    a.other = b;
                    b.other = b;
                    return b;
                }, o -> {
                    Case.that(o.next.other == o && o.other == o && o.next.next == null);
                    Case.same(2, o.hidden);
                    Case.same(1, ((Base) o).hidden);
                    Case.same("base", o.text);
                    Case.same(1L << 50, o.big);
                    Case.that(o.f == 1.5f && o.yes);
                }),
                Case.<Plugin>of("a class with a field whose type is missing", Plugin::new, o -> {
                    Case.same(5, o.number);
                    Case.same("text", o.text);
                    Case.that(o.self == o);
                    Case.same(1L << 40, o.big);
                }),
                Case.equal("a record", () -> new Point(3, "p", List.of(1, 2))),
                Case.<Map<Object, Object>>of("a map keyed by records of enum constants and classes", () -> {
                    Map<Object, Object> m = new HashMap<>();
                    for (Planet p : Planet.values()) {
                        m.put(new Keyed(p, String.class, java.util.concurrent.TimeUnit.DAYS), p.name());
                    }
                    return m;
                }, o -> {
                    Case.same("MARS", o.get(new Keyed(Planet.MARS, String.class, java.util.concurrent.TimeUnit.DAYS)));
                    Case.same(null, o.get(new Keyed(Planet.MARS, Object.class, null)));
                }),
                Case.<Object[]>of("an identity map keyed by shared values", () -> {
                    Map<Object, Object> m = new IdentityHashMap<>();
                    m.put("literal", 1);
                    m.put(7, 2);
                    m.put(Collections.emptyList(), 3);
                    m.put(Thread.currentThread(), 4);
                    return new Object[] {m};
                }, o -> {
                    Map<?, ?> m = (Map<?, ?>) o[0];
                    Case.same(1, m.get("literal"));
                    Case.same(2, m.get(7));
                    Case.same(3, m.get(Collections.emptyList()));
                    Case.same(4, m.get(Thread.currentThread()));
                }),
                Case.<Object[]>of("aliases stay aliases", () -> {
                    Object shared = new int[] {1};
                    return new Object[] {shared, Arrays.asList(shared), shared};
                }, o -> Case.that(o[0] == o[2] && ((List<?>) o[1]).get(0) == o[0])),
                Case.<Planet>of("an enum constant with a body", () -> Planet.MARS, o -> {
                    Case.that(o == Planet.MARS);
                    Case.same(2, o.moons());
                }),
                Case.<Planet>of("an enum constant with state", () -> {
                    Planet.EARTH.visits = 99;
                    return Planet.EARTH;
                }, o -> Case.same(99, Planet.EARTH.visits)),
                Case.<Class<?>[]>of("Class objects",
                        () -> new Class<?>[] {int.class, void.class, String.class, int[].class, Derived[][].class,
                            Planet.class, Planet.MARS.getClass(), Greeter.class},
                        o -> Case.that(Arrays.equals(o, new Class<?>[] {int.class, void.class, String.class,
                            int[].class, Derived[][].class, Planet.class, Planet.MARS.getClass(), Greeter.class}))),
                Case.<Inner>of("an inner object", () -> new ClassCases(7).new Inner(), o -> {
                    Case.same(5, o.x);
                    Case.same(7, o.outer().field);
                }),
                Case.<Supplier<Object>>of("an anonymous class with captured values", () -> anonymous("cap", 5),
                        o -> Case.same("cap5", o.get())),
                Case.<Supplier<Object>>of("a local class", () -> {
                    int n = "xyz".length();
                    class Local implements Supplier<Object> {
                        @Override
                        public Object get() {
                            return n * 2;
                        }
                    }
                    return new Local();
                }, o -> Case.same(6, o.get())),
                Case.<Supplier<Object>>of("a lambda without captures", () -> plain(), o -> Case.same("plain", o.get())),
                Case.<Function<Integer, String>>of("a lambda with captures of every kind",
                        () -> capturing(true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6d, "s"),
                        o -> Case.same("true1c2345.06.0s7", o.apply(7))),
                Case.<IntBinaryOperator>of("a lambda on primitives", () -> (IntBinaryOperator) (a, b) -> a * 10 + b,
                        o -> Case.same(12, o.applyAsInt(1, 2))),
                Case.<Runnable>of("a lambda in a cycle", () -> {
                    Object[] box = new Object[2];
                    Runnable r = () -> box[1] = box[0];
                    box[0] = r;
                    return r;
                }, o -> o.run()),
                Case.<Function<String, Integer>>of("a method reference", () -> (Function<String, Integer>) String::length,
                        o -> Case.same(3, o.apply("abc"))),
                Case.<Function<String, String>>of("a bound method reference",
                        () -> (Function<String, String>) new ClassCases(9)::describe, o -> Case.same("x9", o.apply("x"))),
                Case.<Supplier<List<?>>>of("a constructor reference", () -> (Supplier<List<?>>) ArrayList::new,
                        o -> Case.same(new ArrayList<>(), o.get())),
                Case.<IntFunction<Object>>of("an array constructor reference", () -> (IntFunction<Object>) int[]::new,
                        o -> Case.same(4, ((int[]) o.apply(4)).length)),
                Case.<Function<Object, Object>>of("a boxing method reference", () -> {
                    Function<String, Integer> f = Integer::valueOf;
                    return f;
                }, o -> Case.same(12, o.apply("12"))),
                Case.<ToIntFunction<Integer>>of("an unboxing method reference",
                        () -> (ToIntFunction<Integer>) Integer::intValue, o -> Case.same(12, o.applyAsInt(12))),
                Case.<Comparator<String>>of("an interface method reference",
                        () -> (Comparator<String>) Comparable::compareTo, o -> Case.that(o.compare("a", "b") < 0)),
                Case.<IntUnaryOperator>of("a reference to a method of super", () -> new WithSuper().parent(),
                        o -> Case.same(11, o.applyAsInt(4))),
                Case.<Runnable>of("a serializable lambda", () -> (Runnable & Serializable) () -> { }, o -> {
                    Case.that(o instanceof Serializable);
                    o.run();
                }),
                Case.<Comparator<String>>of("Comparator.comparing chain",
                        () -> Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder()),
                        o -> Case.that(o.compare("b", "a") < 0 && o.compare("a", "bb") < 0)),
                Case.<Greeter>of("a proxy in a cycle with its handler", () -> {
                    Handler h = new Handler("hi ");
                    h.self = Proxy.newProxyInstance(ClassCases.class.getClassLoader(), new Class<?>[] {Greeter.class}, h);
                    return h.self;
                }, o -> Case.same("hi you", o.greet("you"))),
                Case.<Oops>of("a throwable with its trace, cause and suppressed", () -> thrown(), o -> {
                    Case.same("wrapped", o.getMessage());
                    Case.same(42, o.code);
                    Case.same("thrown", o.getStackTrace()[0].getMethodName());
                    Case.same(NullPointerException.class, o.getCause().getClass());
                    Case.same("thrown", o.getCause().getStackTrace()[0].getMethodName());
                    Case.same("suppressed", o.getSuppressed()[0].getMessage());
                    java.io.StringWriter out = new java.io.StringWriter();
                    o.printStackTrace(new java.io.PrintWriter(out));
                    Case.that(out.toString().contains("Caused by: java.lang.NullPointerException"));
                    o.addSuppressed(new Exception("more"));
                    Case.same(2, o.getSuppressed().length);
                    o.fillInStackTrace();
                    Case.same("check", o.getStackTrace()[0].getMethodName().replaceAll("lambda.*", "check"));
                }),
                Case.<Object[]>of("reflected members", () -> new Object[] {
                    String.class.getMethod("length"), ArrayList.class.getConstructor(int.class),
                    Derived.class.getDeclaredField("big"), accessible()},
                        o -> {
                            Case.same(3, ((Method) o[0]).invoke("abc"));
                            Case.same(new ArrayList<>(), ((Constructor<?>) o[1]).newInstance(5));
                            Case.same(1L << 50, ((Field) o[2]).get(new Derived(null)));
                            Case.same("z1", ((Method) o[3]).invoke(new ClassCases(1), "z"));
                        }),
                Case.<Greeter>of("a lambda of an interface with default methods", () -> (Greeter) n -> "hi " + n,
                        o -> Case.same("hi ahi a", o.twice("a"))),
                Case.<Length>of("a lambda of an interface that narrows another", () -> (Length) String::length, o -> {
                    Case.same(3, o.apply("abc"));
                    Case.same(2, ((Function<String, Integer>) o).apply("ab"));
                }));
    }

    private static Method accessible() throws Exception {
        Method m = ClassCases.class.getDeclaredMethod("describe", String.class);
        m.setAccessible(true);
        return m;
    }

    private static Supplier<Object> plain() {
        return () -> "plain";
    }

    private static Supplier<Object> anonymous(String a, int b) {
        return new Supplier<Object>() {
            @Override
            public Object get() {
                return a + b;
            }
        };
    }

    private static Function<Integer, String> capturing(boolean z, byte b, char c, short s, int i, long j, float f,
            double d, String t) {
        return x -> "" + z + b + c + s + i + j + f + d + t + x;
    }
}
