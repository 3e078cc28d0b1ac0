package recrash.retrace;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Calls and field accesses of the driver's code. */
final class Calls {
    static final Class<?>[] PRIMITIVES = {
        boolean.class, char.class, float.class, double.class, byte.class, short.class, int.class, long.class
    };
    private static final Tag[] NO_TAGS = {};

    private final Session session;

    Calls(Session session) {
        this.session = session;
    }

    /** An object whose constructor has not been called yet. */
    static final class Raw {
        final String type;

        Raw(String type) {
            this.type = type;
        }
    }

    /** A place that calls, resolved. */
    private static final class Site {
        final String owner;
        final String name;
        final String descriptor;
        final Class<?>[] parameters;
        final char result;
        final boolean isStatic;
        Method method;
        Constructor<?> constructor;

        Site(String owner, String name, String descriptor, Class<?>[] parameters, boolean isStatic) {
            this.owner = owner;
            this.name = name;
            this.descriptor = descriptor;
            this.parameters = parameters;
            this.isStatic = isStatic;
            result = descriptor.charAt(descriptor.indexOf(')') + 1);
        }
    }

    static int afterType(String descriptor, int at) {
        while (descriptor.charAt(at) == '[') {
            at++;
        }
        return descriptor.charAt(at) == 'L' ? descriptor.indexOf(';', at) + 1 : at + 1;
    }

    static Object toStack(Object value) {
        if (value instanceof Boolean) {
            return (Boolean) value ? 1 : 0;
        }
        if (value instanceof Character) {
            return (int) (Character) value;
        }
        if (value instanceof Byte || value instanceof Short) {
            return ((Number) value).intValue();
        }
        return value;
    }

    static Object fromStack(Object value, Class<?> type) {
        if (!type.isPrimitive() || !(value instanceof Integer)) {
            return value;
        }
        int number = (Integer) value;
        if (type == boolean.class) {
            return (number & 1) != 0;
        }
        if (type == char.class) {
            return (char) number;
        }
        if (type == byte.class) {
            return (byte) number;
        }
        return type == short.class ? (Object) (short) number : (Object) number;
    }

    void field(Frame f, int at, int opcode) throws Throwable {
        ClassCode code = f.method.owner;
        int reference = f.method.u2(at + 1);
        String name = code.memberName(reference);
        String descriptor = code.memberDescriptor(reference);
        boolean isStatic = opcode <= 179;
        if (isStatic) {
            session.initialize(code.owner(reference));
        }
        boolean puts = opcode == 179 || opcode == 181;
        Field field = (Field) f.method.resolved[at];
        if (field == null) {
            field = World.field(session.type(code.owner(reference)), name);
            f.method.resolved[at] = field;
        }
        Object value = puts ? fromStack(f.pop(), field.getType()) : null;
        Tag tag = puts ? f.tags[f.depth] : null;
        Object on = isStatic ? null : f.pop();
        if (!isStatic && on == null) {
            throw new NullPointerException(name);
        }
        boolean ofDriver = session.world.isDriver(code.owner(reference));
        boolean inside = session.world.isInside(field.getDeclaringClass());
        boolean noted = !ofDriver && session.traces() && (puts || field.getType() != String.class);
        Event.Member member = noted ? session.trace.member(code.owner(reference), name, descriptor) : null;
        try {
            if (puts) {
                if (noted) {
                    session.trace.begin(Event.PUT, member, on, new Object[] {value}, inside);
                }
                field.set(on, value);
                session.tags.put(field, on, tag);
                return;
            }
            value = field.get(on);
        } catch (IllegalAccessException e) {
            throw new Interpreter.Unsupported("the field " + name + ": " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new Interpreter.Unsupported("the field " + name + ": " + e.getMessage());
        }
        if (noted && !(isStatic && Trace.isValue(value))) {
            int event = session.trace.begin(Event.FIELD, member, on, new Object[0], inside);
            session.trace.gave(event, value);
            tag = Tag.of(event);
        } else if (ofDriver) {
            tag = session.tags.get(field, on);
        }
        f.push(toStackTyped(value, field.getType()), tag);
        f.wide[f.depth - 1] = field.getType() == long.class || field.getType() == double.class;
    }

    private static Object toStackTyped(Object value, Class<?> type) {
        return type.isPrimitive() ? toStack(value) : value;
    }

    void call(Frame f, int at, int opcode) throws Throwable {
        Site site = site(f, at, opcode);
        int count = site.parameters.length;
        Object[] arguments = new Object[count];
        Tag[] tags = new Tag[count + 1];
        for (int i = count - 1; i >= 0; i--) {
            arguments[i] = f.pop();
            tags[i + 1] = f.tags[f.depth];
        }
        Object receiver = null;
        if (!site.isStatic) {
            receiver = f.pop();
            tags[0] = f.tags[f.depth];
            if (receiver == null) {
                throw new NullPointerException(site.name);
            }
        }
        if (site.name.equals("<init>")) {
            construct(f, site, receiver, arguments, tags, f.around(at));
            return;
        }
        Interpreter.Given given = driven(f, at, opcode, site, receiver, arguments, tags);
        if (given == null) {
            given = foreign(f, at, opcode, site, receiver, arguments, tags);
        }
        if (site.result != 'V') {
            f.push(given.value, given.tag);
            f.wide[f.depth - 1] = site.result == 'J' || site.result == 'D';
        }
    }

    private Site site(Frame f, int at, int opcode) throws ClassNotFoundException {
        Site known = (Site) f.method.resolved[at];
        if (known != null) {
            return known;
        }
        ClassCode code = f.method.owner;
        int reference = f.method.u2(at + 1);
        String descriptor = code.memberDescriptor(reference);
        List<Class<?>> parameters = new ArrayList<>();
        for (int i = 1; descriptor.charAt(i) != ')'; ) {
            int next = afterType(descriptor, i);
            parameters.add(World.ofDescriptor(descriptor.substring(i, next), session.loader));
            i = next;
        }
        Site site =
                new Site(code.owner(reference), code.memberName(reference), descriptor,
                        parameters.toArray(new Class<?>[0]), opcode == 184);
        f.method.resolved[at] = site;
        return site;
    }

    /** An object of the driver's, whose constructor is interpreted. It is an event that nothing but a stand-in repeats. */
    private Object own(Site site, String name, Object[] arguments, Tag[] tags, long path) throws Throwable {
        session.initialize(name);
        Object made = session.allocated(session.type(name));
        if (session.traces()) {
            Event.Member member = session.trace.member(name, "<init>", site.descriptor);
            Object[] given = arguments.clone();
            convert(site, given);
            int event = session.trace.begin(Event.NEW, member, null, given, false);
            session.trace.gave(event, made);
        }
        MethodCode code = session.code(name.replace('/', '.')).method("<init>", site.descriptor);
        session.interpreter.run(code, withReceiver(made, arguments), tags, path);
        return made;
    }

    /** {@code super(…)} or {@code this(…)} of a constructor that is interpreted. */
    private void above(Frame f, Site site, Object receiver, Object[] arguments, Tag[] tags, long path) throws Throwable {
        if (session.world.isDriver(site.owner)) {
            MethodCode code = session.code(site.owner.replace('/', '.')).method("<init>", site.descriptor);
            session.interpreter.run(code, withReceiver(receiver, arguments), tags, path);
        } else if (!site.owner.equals("java/lang/Object")) {
            throw new Interpreter.Unsupported("a constructor of " + f.method.owner.name);
        }
    }

    private static Object[] withReceiver(Object receiver, Object[] arguments) {
        Object[] all = new Object[arguments.length + 1];
        all[0] = receiver;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return all;
    }

    private void construct(Frame f, Site site, Object receiver, Object[] arguments, Tag[] tags, long path) throws Throwable {
        if (!(receiver instanceof Raw)) {
            above(f, site, receiver, arguments, tags, path);
            return;
        }
        if (session.world.isDriver(((Raw) receiver).type) && session.isOwn(((Raw) receiver).type)) {
            Object made = own(site, ((Raw) receiver).type, arguments, tags, path);
            replace(f.stack, f.tags, receiver, made, null);
            replace(f.locals, f.localTags, receiver, made, null);
            return;
        }
        Class<?> type = session.type(((Raw) receiver).type);
        if (site.constructor == null) {
            site.constructor = World.constructor(type, site.descriptor, session.loader);
        }
        convert(site, arguments);
        int event = -1;
        boolean noted = session.traces()
                && !(Throwable.class.isAssignableFrom(type) && !session.world.isInside(type))
                && type != StringBuilder.class && type != StringBuffer.class && type != String.class;
        if (noted) {
            Event.Member member = session.trace.member(((Raw) receiver).type, "<init>", site.descriptor);
            event = session.trace.begin(Event.NEW, member, null, arguments, session.world.isInside(type));
        }
        Object made;
        session.deeper(noted);
        try {
            made = site.constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            session.threw(event, e.getTargetException());
            throw e.getTargetException();
        } catch (IllegalAccessException | InstantiationException e) {
            throw new Interpreter.Unsupported("the constructor of " + type.getName() + ": " + e.getMessage());
        } finally {
            session.higher(noted);
        }
        Tag tag = null;
        if (noted) {
            session.trace.gave(event, made);
            tag = Tag.of(event);
        }
        replace(f.stack, f.tags, receiver, made, tag);
        replace(f.locals, f.localTags, receiver, made, tag);
    }

    private static void replace(Object[] places, Tag[] tags, Object raw, Object made, Tag tag) {
        for (int i = 0; i < places.length; i++) {
            if (places[i] == raw) {
                places[i] = made;
                tags[i] = tag;
            }
        }
    }

    private static void convert(Site site, Object[] arguments) {
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = fromStack(arguments[i], site.parameters[i]);
        }
    }

    /** A method of the driver; null if it is none, or better runs as it is. */
    private Interpreter.Given driven(
            Frame f, int at, int opcode, Site site, Object receiver, Object[] arguments, Tag[] tags) throws Throwable {
        if (opcode == 184) {
            session.initialize(site.owner);
        }
        String start = opcode == 182 || opcode == 185 ? receiver.getClass().getName() : site.owner;
        if (!session.world.isDriver(start) || session.depth > 0 && opcode != 184 && receiver == null) {
            return null;
        }
        MethodCode method = session.driverMethod(start, site.name, site.descriptor);
        if (method == null || method.code == null) {
            return null;
        }
        Object[] all = arguments;
        Tag[] allTags = java.util.Arrays.copyOfRange(tags, 1, tags.length);
        if (!site.isStatic) {
            all = withReceiver(receiver, arguments);
            allTags = tags;
        }
        return session.interpreter.run(method, all, allTags, f.around(at));
    }

    private Interpreter.Given foreign(
            Frame f, int at, int opcode, Site site, Object receiver, Object[] arguments, Tag[] tags) throws Throwable {
        if (opcode == 183) {
            throw new Interpreter.Unsupported("a call of a method of the superclass");
        }
        if (site.method == null) {
            site.method = World.method(session.type(site.owner), site.name, site.descriptor, session.loader);
        }
        convert(site, arguments);
        boolean inside = session.world.isInside(site.method.getDeclaringClass())
                || receiver != null && session.world.isInside(receiver.getClass())
                || session.world.isInside(session.type(site.owner));
        boolean environment = !inside && isEnvironment(site, receiver);
        long key = environment ? f.around(at) : 0;
        if (environment && session.answers.containsKey(key) && !session.isFirst()) {
            return new Interpreter.Given(session.answers.get(key), null);
        }
        boolean noted = session.traces() && !environment && (inside || hasObject(receiver, arguments));
        int event = -1;
        if (noted) {
            Event.Member member = session.trace.member(site.owner, site.name, site.descriptor);
            event = session.trace.begin(Event.CALL, member, receiver, arguments, inside);
        }
        Object value;
        session.deeper(noted || inside);
        try {
            value = site.method.invoke(receiver, arguments);
        } catch (InvocationTargetException e) {
            session.threw(event, e.getTargetException());
            throw e.getTargetException();
        } catch (IllegalAccessException | IllegalArgumentException e) {
            throw new Interpreter.Unsupported(site.owner + "." + site.name + ": " + e.getMessage());
        } finally {
            session.higher(noted || inside);
        }
        boolean late = !noted && session.traces() && !environment && !Trace.isValue(value) && !Trace.isBuilder(value)
                && site.isStatic;
        if (late) {
            Event.Member member = session.trace.member(site.owner, site.name, site.descriptor);
            event = session.trace.begin(Event.CALL, member, null, arguments, false);
        }
        Object pushed = site.method.getReturnType().isPrimitive() ? toStack(value) : value;
        if (environment) {
            session.answers.put(key, pushed);
        }
        if (event >= 0) {
            if (site.result != 'V') {
                session.trace.gave(event, value);
            }
            return new Interpreter.Given(pushed, Tag.of(event));
        }
        return new Interpreter.Given(pushed, passed(site, receiver, arguments, tags));
    }

    /** What a call that only computes gives is from its operands. */
    private static Tag passed(Site site, Object receiver, Object[] arguments, Tag[] tags) {
        boolean boxes = site.owner.startsWith("java/lang/")
                && (site.name.equals("valueOf") && tags.length == 2 || site.name.endsWith("Value") && tags.length == 1);
        if (boxes) {
            return tags[tags.length - 1];
        }
        Object[] values = new Object[tags.length];
        values[0] = receiver;
        System.arraycopy(arguments, 0, values, 1, arguments.length);
        Tag[] of = site.isStatic ? java.util.Arrays.copyOfRange(tags, 1, tags.length) : tags;
        values = site.isStatic ? arguments : values;
        return of.length == 0 ? null : Tag.computed(site.name, values, of.length == 0 ? NO_TAGS : of);
    }

    /** Another answer at every run: what was answered at first is answered again. */
    private static boolean isEnvironment(Site site, Object receiver) {
        if (receiver != null) {
            return receiver instanceof Random && !site.name.equals("setSeed") && site.result != 'L';
        }
        String name = site.owner + "." + site.name;
        return name.equals("java/lang/System.currentTimeMillis")
                || name.equals("java/lang/System.nanoTime")
                || name.equals("java/lang/Math.random");
    }

    private static boolean hasObject(Object receiver, Object[] arguments) {
        if (!Trace.isValue(receiver) && !Trace.isBuilder(receiver)) {
            return true;
        }
        for (Object argument : arguments) {
            boolean plain = Trace.isValue(argument) || Trace.isBuilder(argument) || isPlainArray(argument);
            if (!plain) {
                return true;
            }
        }
        return false;
    }

    /** The arguments of {@code String.format}. */
    private static boolean isPlainArray(Object argument) {
        if (argument == null || !argument.getClass().isArray()) {
            return false;
        }
        int length = Array.getLength(argument);
        for (int i = 0; i < length; i++) {
            if (!Trace.isValue(Array.get(argument, i))) {
                return false;
            }
        }
        return true;
    }
}
