package recrash.retrace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One run of the driver. */
final class Session {
    final World world;
    final ClassLoader loader;
    final Trace trace;
    final Units units;
    final Map<Long, Object> answers;
    final Interpreter interpreter = new Interpreter(this);
    final Calls calls = new Calls(this);
    final Lambdas lambdas = new Lambdas(this);
    final FieldTags tags = new FieldTags();
    /** The path of the main method's frame. */
    static final long MAIN = 1;

    private final Map<String, ClassCode> code = new HashMap<>();
    private final Set<String> initialized = new HashSet<>();
    private final BitSet left;
    private final long end;
    private int steps;
    /** Calls of others that are under way. */
    int depth;

    /** The last exception that the driver's own code threw, and the condition before it. */
    Decision decision;
    /** The event that threw what came out last. */
    int failing = -1;
    Throwable failed;
    /** The driver's innermost frame that the last exception left. */
    String site = "";
    private Throwable leaving;

    /** Somebody waits no longer. */
    static final class TimeUp extends Error {
        private static final long serialVersionUID = 1;

        TimeUp() {
            super("time is up", null, false, false);
        }
    }

    /** The condition that led to a throw. */
    static final class Decision {
        final int opcode;
        final boolean jumped;
        final Object[] operands;
        final Tag[] tags;

        Decision(Frame frame) {
            opcode = frame.decidedAt < 0 ? 0 : frame.method.u1(frame.decidedAt);
            jumped = frame.jumped;
            operands = frame.operands;
            tags = frame.operandTags;
        }
    }

    /** The rounds of loops that can be left out, numbered as the first run met them. */
    static final class Units {
        final Map<Long, Integer> numbers = new HashMap<>();
        /** By number: of which loop of the main method it is, from 1 on; 0 for those inside others. */
        final List<Integer> loops = new ArrayList<>();
    }

    /** {@code left}: the rounds to leave out; null for the first run, which finds them. */
    Session(World world, Units units, Map<Long, Object> answers, BitSet left, int limitMillis, boolean traces) {
        this.world = world;
        this.units = units;
        this.answers = answers;
        this.left = left;
        loader = world.loader();
        trace = new Trace(world);
        trace.on = traces;
        end = System.nanoTime() + limitMillis * 1_000_000L;
    }

    boolean isFirst() {
        return left == null;
    }

    void step() {
        if ((++steps & 0xffff) == 0 && System.nanoTime() > end) {
            throw new TimeUp();
        }
    }

    boolean traces() {
        return trace.on && depth == 0;
    }

    void deeper(boolean really) {
        depth += really ? 1 : 0;
    }

    void higher(boolean really) {
        depth -= really ? 1 : 0;
    }

    Class<?> type(String name) throws ClassNotFoundException {
        return World.type(name, loader);
    }

    /** Declared there or in a superclass of the driver's; null for none. */
    MethodCode driverMethod(String owner, String name, String descriptor) throws IOException, ClassNotFoundException {
        for (Class<?> at = type(owner); at != null && world.isDriver(at.getName()); at = at.getSuperclass()) {
            MethodCode found = code(at.getName()).method(name, descriptor);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    ClassCode code(String name) throws IOException {
        ClassCode known = code.get(name);
        if (known == null) {
            known = world.code(name);
            code.put(name, known);
        }
        return known;
    }

    /** Runs the static initialiser of a class of the driver when the class is used first, and those of the driver's classes above it before. */
    void initialize(String name) throws Throwable {
        String dotted = name.replace('/', '.');
        if (!world.isDriver(dotted) || !initialized.add(dotted)) {
            return;
        }
        ClassCode code = code(dotted);
        if (code.superclass != null) {
            initialize(code.superclass);
        }
        MethodCode initializer = code.method(Opened.INITIALIZER, "()V");
        if (initializer != null) {
            interpreter.run(initializer, new Object[0], new Tag[0], Frame.mixed(MAIN, dotted.hashCode()));
        }
    }

    /** Whether objects of a class of the driver can be made by its interpreted constructors: all classes above it are the driver's. */
    boolean isOwn(String name) throws IOException {
        String at = name;
        while (world.isDriver(at)) {
            at = code(at.replace('/', '.')).superclass;
        }
        return "java/lang/Object".equals(at);
    }

    /** An object without a constructor; the class {@code sun.misc.Unsafe} is in every JDK (JEP 260). */
    Object allocated(Class<?> type) throws ReflectiveOperationException {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        java.lang.reflect.Field field = unsafe.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        return unsafe.getMethod("allocateInstance", Class.class).invoke(field.get(null), type);
    }

    boolean leavesOut(Frame frame, Loop loop) {
        long key = frame.around(loop.body);
        if (left == null) {
            units.numbers.put(key, units.loops.size());
            units.loops.add(frame.path == MAIN && loop.isOutermost(frame.method) ? loop.number + 1 : 0);
            return false;
        }
        Integer number = units.numbers.get(key);
        // A round that the failing run had not come to is not part of it.
        return number == null || left.get(number);
    }

    void throwing(Frame frame) {
        decision = new Decision(frame);
        failing = -1;
    }

    void threw(int event, Throwable thrown) {
        if (event >= 0) {
            trace.threw(event);
            failing = event;
            failed = thrown;
        }
    }

    void leaves(Frame frame, Throwable thrown) {
        if (leaving != thrown) {
            leaving = thrown;
            site = frame.method.owner.name + '.' + frame.method.name + frame.method.descriptor + ':' + frame.place;
        }
    }
}
