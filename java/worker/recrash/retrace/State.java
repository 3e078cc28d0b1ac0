package recrash.retrace;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** One number for all that can be reached from some objects; it changes with any of it. */
final class State {
    private static final Map<Class<?>, Field[]> FIELDS = new HashMap<>();
    private static final int MOST = 200_000;

    private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();
    private final ArrayDeque<Object> waiting = new ArrayDeque<>();
    private long hash = 17;

    private State() {}

    static long of(Object receiver, Object[] arguments) {
        State state = new State();
        state.see(receiver);
        for (Object argument : arguments) {
            state.see(argument);
        }
        while (!state.waiting.isEmpty()) {
            state.walk(state.waiting.poll());
        }
        return state.hash;
    }

    private void mix(long value) {
        hash = Frame.mixed(hash, value);
    }

    private void see(Object object) {
        if (object == null) {
            mix(0);
        } else if (object instanceof String || object instanceof Number && Trace.isValue(object)
                || object instanceof Boolean || object instanceof Character) {
            mix(object.hashCode() * 31L + object.getClass().getName().hashCode());
        } else if (object instanceof Class || object instanceof ClassLoader || object instanceof Thread
                || numbers.size() > MOST) {
            mix(1);
        } else {
            Integer known = numbers.get(object);
            if (known == null) {
                known = numbers.size();
                numbers.put(object, known);
                waiting.add(object);
            }
            mix(known);
        }
    }

    private void walk(Object object) {
        Class<?> type = object.getClass();
        mix(type.getName().hashCode());
        if (type.isArray()) {
            int length = Array.getLength(object);
            mix(length);
            for (int i = 0; i < length; i++) {
                see(Array.get(object, i));
            }
            return;
        }
        for (Field field : fields(type)) {
            try {
                see(field.get(object));
            } catch (IllegalAccessException e) {
                mix(2);
            }
        }
    }

    private static Field[] fields(Class<?> type) {
        Field[] known = FIELDS.get(type);
        if (known == null) {
            List<Field> found = new ArrayList<>();
            for (Class<?> at = type; at != null; at = at.getSuperclass()) {
                for (Field field : at.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers()) && open(field)) {
                        found.add(field);
                    }
                }
            }
            known = found.toArray(new Field[0]);
            FIELDS.put(type, known);
        }
        return known;
    }

    private static boolean open(AccessibleObject field) {
        try {
            field.setAccessible(true);
            return true;
        } catch (RuntimeException closed) {
            return false;
        }
    }
}
