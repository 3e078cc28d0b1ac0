package recrash.retrace;

import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The same calls on the JDK's own collections: what they give is right, by the contract of the interface that both implement.
 * Calls of which the contract says nothing, such as the order of a map that is not sorted, are not made.
 */
final class Model {
    private static final Set<String> ORDERED =
            new HashSet<>(java.util.Arrays.asList("iterator", "entrySet", "keySet", "values", "toString", "toArray", "hashCode", "forEach",
                    "stream", "equals"));

    private final List<Event> events;
    private final ClassLoader loader;
    private final World world;
    private final Object[] values;
    private final boolean[] made;

    Model(World world, ClassLoader loader, List<Event> events, int objects) {
        this.world = world;
        this.loader = loader;
        this.events = events;
        values = new Object[objects];
        made = new boolean[objects];
    }

    /** That there is no model for a call, or that it fails where the subject does not. */
    static final class None extends Exception {
        private static final long serialVersionUID = 1;

        None(String what) {
            super(what, null, false, false);
        }
    }

    /** What the last event should have given; all before have to give what the subject gave, {@code gave}. */
    Object expected(int[] kept, Object[] gave) throws None {
        Object given = null;
        for (int i = 0; i < kept.length; i++) {
            Event event = events.get(kept[i]);
            try {
                given = perform(event);
            } catch (ReflectiveOperationException | RuntimeException e) {
                throw new None(e.toString());
            }
            boolean last = i + 1 == kept.length;
            boolean plain = Trace.isValue(given) && Trace.isValue(gave[i]);
            boolean agrees = plain ? given == null ? gave[i] == null : given.equals(gave[i]) : (given == null) == (gave[i] == null);
            if (!last && event.kind == Event.CALL && !agrees) {
                throw new None("it differs before");
            }
            if (event.result >= 0 && given != null) {
                values[event.result] = given;
                made[event.result] = true;
            }
        }
        return given;
    }

    private Object value(Object operand) throws None {
        if (!(operand instanceof Event.Ref)) {
            return operand;
        }
        int number = ((Event.Ref) operand).number;
        if (!made[number]) {
            throw new None("an object is missing");
        }
        return values[number];
    }

    private Object perform(Event event) throws None, ReflectiveOperationException {
        Object[] arguments = new Object[event.arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = value(event.arguments[i]);
        }
        Event.Member member = event.member;
        if (event.kind == Event.NEW) {
            Class<?> type = World.type(member.owner, loader);
            if (!world.isInside(type)) {
                Constructor<?> constructor = World.constructor(type, member.descriptor, loader);
                return constructor.newInstance(arguments);
            }
            return modelOf(type, arguments);
        }
        if (event.kind != Event.CALL || event.receiver == null) {
            throw new None("no call of a collection");
        }
        Object receiver = value(event.receiver);
        boolean unordered = receiver instanceof LinkedHashMap || receiver instanceof LinkedHashSet;
        if (unordered && ORDERED.contains(member.name)) {
            throw new None("no order");
        }
        Class<?>[] parameters = MethodType.fromMethodDescriptorString(member.descriptor, loader).parameterArray();
        Method method = ofInterface(receiver.getClass(), member.name, parameters);
        if (method == null) {
            throw new None(member.name);
        }
        try {
            return method.invoke(receiver, arguments);
        } catch (InvocationTargetException e) {
            throw new None(String.valueOf(e.getTargetException()));
        }
    }

    private static Object modelOf(Class<?> type, Object[] arguments) throws None {
        if (arguments.length > 1 || arguments.length == 1 && !(arguments[0] instanceof Collection)) {
            throw new None("a constructor of its own");
        }
        Object model;
        if (List.class.isAssignableFrom(type)) {
            model = new ArrayList<>();
        } else if (SortedMap.class.isAssignableFrom(type)) {
            model = new TreeMap<>();
        } else if (Map.class.isAssignableFrom(type)) {
            model = new LinkedHashMap<>();
        } else if (SortedSet.class.isAssignableFrom(type)) {
            model = new TreeSet<>();
        } else if (Set.class.isAssignableFrom(type)) {
            model = new LinkedHashSet<>();
        } else if (Deque.class.isAssignableFrom(type)) {
            model = new LinkedList<>();
        } else {
            throw new None("no collection");
        }
        if (arguments.length == 1) {
            add(model, (Collection<?>) arguments[0]);
        }
        return model;
    }

    @SuppressWarnings("unchecked")
    private static void add(Object model, Collection<?> all) throws None {
        if (!(model instanceof Collection)) {
            throw new None("a map of a collection");
        }
        ((Collection<Object>) model).addAll(all);
    }

    /** A method that an interface of the JDK declares. */
    private static Method ofInterface(Class<?> type, String name, Class<?>[] parameters) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Class<?> above : at.getInterfaces()) {
                if (Modifier.isPublic(above.getModifiers())) {
                    try {
                        return above.getMethod(name, parameters);
                    } catch (NoSuchMethodException e) {
                        // Another one has it.
                    }
                }
            }
        }
        return null;
    }
}
