package recrash.retrace;

import java.lang.reflect.Array;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** What the driver did, call by call. */
final class Trace {
    final List<Event> events = new ArrayList<>();
    private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();
    private final Map<String, Event.Member> members = new HashMap<>();
    /** Arrays and builders as they were when last handed on. */
    private final IdentityHashMap<Object, Object> contents = new IdentityHashMap<>();
    private int objects;
    private final World world;
    /** Until the full run was seen there is nothing to save. */
    boolean on = true;

    Trace(World world) {
        this.world = world;
    }

    int objects() {
        return objects;
    }

    Event.Member member(String owner, String name, String descriptor) {
        String key = owner + ' ' + name + ' ' + descriptor;
        return members.computeIfAbsent(key, ignored -> new Event.Member(owner, name, descriptor));
    }

    /** What is nothing but its value: it stands for itself wherever it is. */
    static boolean isValue(Object object) {
        return object == null
                || object instanceof String
                || object instanceof Number && object.getClass().getName().startsWith("java.lang.")
                || object instanceof Boolean
                || object instanceof Character
                || object instanceof Class;
    }

    /** Builders of strings are handed on as what they hold. */
    static boolean isBuilder(Object object) {
        return object instanceof StringBuilder || object instanceof StringBuffer;
    }

    Object operand(Object object) {
        if (isValue(object)) {
            return object;
        }
        if (object.getClass().isArray()) {
            return array(object);
        }
        if (isBuilder(object)) {
            return builder(object);
        }
        if (object instanceof Enum && !world.isDriver(object.getClass().getName())) {
            return constant((Enum<?>) object);
        }
        Integer number = numbers.get(object);
        if (number == null) {
            // Nobody saw it come: found in a field, or handed to a callback.
            number = name(object);
        }
        return new Event.Ref(number);
    }

    private Object constant(Enum<?> constant) {
        Integer known = numbers.get(constant);
        if (known == null) {
            String owner = constant.getDeclaringClass().getName().replace('.', '/');
            Event event = new Event(Event.FIELD, member(owner, constant.name(), "L" + owner + ";"), null, new Object[0]);
            event.inside = world.isInside(constant.getDeclaringClass());
            known = name(constant);
            event.result = known;
            events.add(event);
        }
        return new Event.Ref(known);
    }

    private Object array(Object array) {
        int length = Array.getLength(array);
        Integer known = numbers.get(array);
        Object[] elements = new Object[length];
        for (int i = 0; i < length; i++) {
            elements[i] = Array.get(array, i);
        }
        Object[] before = (Object[]) contents.get(array);
        if (known != null && (before == null || Arrays.equals(before, elements))) {
            return new Event.Ref(known);
        }
        Object[] operands = new Object[length];
        for (int i = 0; i < length; i++) {
            operands[i] = operand(elements[i]);
        }
        Event event = new Event(Event.ARRAY, member(array.getClass().getName(), "", ""), null, operands);
        event.result = known == null ? name(array) : known;
        contents.put(array, elements);
        events.add(event);
        return new Event.Ref(event.result);
    }

    private Object builder(Object builder) {
        Integer known = numbers.get(builder);
        String text = builder.toString();
        if (known != null && text.equals(contents.get(builder))) {
            return new Event.Ref(known);
        }
        String owner = builder.getClass().getName().replace('.', '/');
        Event event =
                new Event(Event.NEW, member(owner, "<init>", "(Ljava/lang/String;)V"), null, new Object[] {text});
        event.result = known == null ? name(builder) : known;
        contents.put(builder, text);
        events.add(event);
        return new Event.Ref(event.result);
    }

    private int name(Object object) {
        numbers.put(object, objects);
        return objects++;
    }

    /** Its number; -1 while nothing is noted. */
    int begin(int kind, Event.Member member, Object receiver, Object[] arguments, boolean inside) {
        Object[] operands = new Object[arguments.length];
        Object target = receiver == null ? null : operand(receiver);
        for (int i = 0; i < operands.length; i++) {
            operands[i] = operand(arguments[i]);
        }
        Event event = new Event(kind, member, target, operands);
        event.inside = inside;
        events.add(event);
        return events.size() - 1;
    }

    void gave(int number, Object value) {
        Event event = events.get(number);
        if (isValue(value)) {
            event.value = value;
            return;
        }
        Integer known = numbers.get(value);
        event.result = known == null ? name(value) : known;
    }

    void threw(int number) {
        events.get(number).threw = true;
    }

    /** Whether it can be seen from outside of its class; others are called by what they implement. */
    static boolean isPublic(Class<?> type) {
        return Modifier.isPublic(type.getModifiers());
    }
}
