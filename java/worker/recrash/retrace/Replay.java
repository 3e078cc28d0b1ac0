package recrash.retrace;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.BitSet;
import java.util.List;

/** Some of the events, one after the other, without the driver. */
final class Replay {
    private final World world;
    private final List<Event> events;
    private final int objects;
    private Session session;
    /** The event that ended it. */
    int at = -1;
    Throwable thrown;
    /** Why it could not go on: a missing object, a class. */
    String unresolved;
    /** Whether every event gave what it had given. */
    boolean same = true;
    Object[] gave = {};
    /** Events that changed nothing of what they could reach, as far as was asked. */
    final BitSet pure = new BitSet();
    /** Whether the last event changed what some objects lead to. */
    boolean changed;

    Replay(World world, List<Event> events, int objects) {
        this.world = world;
        this.events = events;
        this.objects = objects;
        fresh();
    }

    /** Classes of the driver are had anew. */
    void fresh() {
        session = new Session(world, new Session.Units(), new java.util.HashMap<>(), new BitSet(), Integer.MAX_VALUE, false);
        for (Event event : events) {
            event.member.found = null;
        }
    }

    void run(int[] kept, boolean looks, int[] roots) {
        Thread.currentThread().setContextClassLoader(session.loader);
        Object[] values = new Object[objects];
        boolean[] made = new boolean[objects];
        gave = new Object[kept.length];
        thrown = null;
        unresolved = null;
        same = true;
        pure.clear();
        changed = true;
        for (int i = 0; i < kept.length; i++) {
            Event event = events.get(kept[i]);
            at = kept[i];
            Object[] arguments = new Object[event.arguments.length];
            Object receiver;
            try {
                receiver = value(event.receiver, values, made);
                for (int k = 0; k < arguments.length; k++) {
                    arguments[k] = value(event.arguments[k], values, made);
                }
            } catch (Missing missing) {
                unresolved = missing.getMessage();
                return;
            }
            Object given;
            try {
                boolean asked = roots.length > 0 && i + 1 == kept.length;
                long around = asked ? State.of(null, all(roots, values)) : 0;
                long before = looks ? State.of(receiver, arguments) : 0;
                given = perform(event, receiver, arguments);
                changed = asked && around != State.of(null, all(roots, values));
                if (looks && before == State.of(receiver, arguments)) {
                    pure.set(i);
                }
            } catch (InvocationTargetException e) {
                if (event.threw && i + 1 < kept.length) {
                    continue;
                }
                thrown = e.getTargetException();
                return;
            } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
                thrown = e;
                return;
            } catch (ReflectiveOperationException | RuntimeException e) {
                unresolved = e.toString();
                return;
            }
            gave[i] = given;
            if (event.result >= 0) {
                if (given == null) {
                    same = false;
                } else {
                    values[event.result] = given;
                    made[event.result] = true;
                }
            } else if (event.kind == Event.CALL && !event.threw && !equal(event.value, given)) {
                same = false;
            }
        }
        at = -1;
    }

    /** What the last event should have given by the JDK's collections; null for none that can tell. */
    Object[] expected(int[] kept) {
        if (thrown != null || unresolved != null) {
            return null;
        }
        try {
            return new Object[] {new Model(world, session.loader, events, objects).expected(kept, gave)};
        } catch (Model.None none) {
            return null;
        }
    }

    private static Object[] all(int[] numbers, Object[] values) {
        Object[] all = new Object[numbers.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = values[numbers[i]];
        }
        return all;
    }

    private static boolean equal(Object recorded, Object given) {
        return recorded == null ? given == null : recorded.equals(given);
    }

    private static final class Missing extends Exception {
        private static final long serialVersionUID = 1;

        Missing(String message) {
            super(message, null, false, false);
        }
    }

    private Object value(Object operand, Object[] values, boolean[] made) throws Missing {
        if (operand instanceof Event.TypeName) {
            try {
                return session.type(((Event.TypeName) operand).name);
            } catch (ClassNotFoundException e) {
                throw new Missing(e.toString());
            }
        }
        if (!(operand instanceof Event.Ref)) {
            return operand;
        }
        int number = ((Event.Ref) operand).number;
        if (!made[number]) {
            throw new Missing("object " + number + " was not made");
        }
        return values[number];
    }

    private Object perform(Event event, Object receiver, Object[] arguments) throws ReflectiveOperationException {
        Event.Member member = event.member;
        switch (event.kind) {
            case Event.NEW:
                if (member.found == null) {
                    member.found = World.constructor(session.type(member.owner), member.descriptor, session.loader);
                }
                return ((Constructor<?>) member.found).newInstance(arguments);
            case Event.CALL:
                if (member.found == null) {
                    member.found =
                            World.method(session.type(member.owner), member.name, member.descriptor, session.loader);
                }
                return ((Method) member.found).invoke(receiver, arguments);
            case Event.FIELD:
            case Event.PUT:
                if (member.found == null) {
                    member.found = World.field(session.type(member.owner), member.name);
                }
                if (event.kind == Event.FIELD) {
                    return ((Field) member.found).get(receiver);
                }
                ((Field) member.found).set(receiver, arguments[0]);
                return null;
            case Event.ARRAY:
                if (member.found == null) {
                    member.found = session.type(member.owner).getComponentType();
                }
                Object array = Array.newInstance((Class<?>) member.found, arguments.length);
                for (int i = 0; i < arguments.length; i++) {
                    Array.set(array, i, arguments[i]);
                }
                return array;
            default:
                return session.lambdas.made(member.owner, member.name, member.descriptor, arguments);
        }
    }
}
