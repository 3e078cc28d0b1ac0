package recrash.worker;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Map;
import recrash.junit.Frame;

/**
 * Whether objects that a test makes are the captured ones: the same graph from the same values, with what is shared shared
 * alike. Collections of the JDK are compared by what they hold and in which order, not by how they hold it.
 */
public final class Same {
    private static final Object UNSAFE = unsafe();

    /** Each captured object and the one that stands for it, both ways: a shared object must not become two. */
    private final Map<Object, Object> made = new IdentityHashMap<>();
    private final Map<Object, Object> captured = new IdentityHashMap<>();
    private final Deque<Object[]> waiting = new ArrayDeque<>();

    private Same() {}

    /**
     * Compares the receiver and the arguments that a test made with those of the frame.
     *
     * @throws AssertionError that says where they differ first
     */
    public static void check(Frame frame, Object[] values) throws ReflectiveOperationException {
        check(frame, values, new Object[0], new Object[0]);
    }

    /**
     * The same, together with what static fields shall hold and what they hold now that the frame is restored.
     *
     * @throws AssertionError that says where they differ first
     */
    public static void check(Frame frame, Object[] values, Object[] madeStatics, Object[] statics)
            throws ReflectiveOperationException {
        Same same = new Same();
        for (int i = 0; i < statics.length; i++) {
            same.later(statics[i], madeStatics[i], "static field " + i);
        }
        // A constructor's test makes no receiver: the call does.
        if (values[0] != null) {
            same.later(frame.receiver(), values[0], "this");
        }
        for (int i = 1; i < values.length; i++) {
            same.later(frame.argument(i - 1), values[i], "argument " + (i - 1));
        }
        while (!same.waiting.isEmpty()) {
            Object[] next = same.waiting.removeFirst();
            same.compare(next[0], next[1], (String) next[2]);
        }
    }

    private void later(Object expected, Object actual, String path) {
        waiting.addLast(new Object[] {expected, actual, path});
    }

    private void compare(Object expected, Object actual, String path) throws ReflectiveOperationException {
        if (expected == actual) {
            return;
        }
        if (expected == null || actual == null || expected.getClass() != actual.getClass()) {
            throw differ(path, name(expected), name(actual));
        }
        Class<?> type = expected.getClass();
        if (isValue(type)) {
            if (!expected.equals(actual)) {
                throw differ(path, expected, actual);
            }
            return;
        }
        if (expected instanceof Enum || expected instanceof Class) {
            throw differ(path, expected, actual);
        }
        Object known = made.put(expected, actual);
        Object knownBack = captured.put(actual, expected);
        if (known != null || knownBack != null) {
            if (known != actual || knownBack != expected) {
                throw new AssertionError(path + " is not shared alike");
            }
            return;
        }
        if (type.isArray()) {
            compareArrays(expected, actual, path);
        } else if (type.getName().startsWith("java.util.") && expected instanceof Map) {
            compareMaps((Map<?, ?>) expected, (Map<?, ?>) actual, path);
        } else if (type.getName().startsWith("java.util.") && expected instanceof Collection) {
            compareCollections((Collection<?>) expected, (Collection<?>) actual, path);
        } else if (expected instanceof StringBuilder || expected instanceof StringBuffer) {
            if (!expected.toString().equals(actual.toString())) {
                throw differ(path, expected, actual);
            }
        } else {
            compareFields(type, expected, actual, path);
        }
    }

    private static boolean isValue(Class<?> type) {
        return type == String.class || type == Boolean.class || type == Character.class
                || Number.class.isAssignableFrom(type) && type.getName().startsWith("java.lang.")
                || type.getName().startsWith("java.time.") || type.getName().startsWith("java.math.")
                || type == java.util.Locale.class || type == java.util.UUID.class || type == java.util.BitSet.class
                || type == java.io.File.class;
    }

    private void compareArrays(Object expected, Object actual, String path) {
        int length = Array.getLength(expected);
        if (length != Array.getLength(actual)) {
            throw differ(path + ".length", length, Array.getLength(actual));
        }
        boolean primitive = expected.getClass().getComponentType().isPrimitive();
        for (int i = 0; i < length; i++) {
            Object one = Array.get(expected, i);
            Object other = Array.get(actual, i);
            if (!primitive) {
                later(one, other, path + "[" + i + "]");
            } else if (!one.equals(other)) {
                throw differ(path + "[" + i + "]", one, other);
            }
        }
    }

    private void compareCollections(Collection<?> expected, Collection<?> actual, String path) {
        if (expected.size() != actual.size()) {
            throw differ(path + ".size()", expected.size(), actual.size());
        }
        Iterator<?> others = actual.iterator();
        int i = 0;
        for (Object element : expected) {
            later(element, others.next(), path + "[" + i++ + "]");
        }
    }

    private void compareMaps(Map<?, ?> expected, Map<?, ?> actual, String path) {
        if (expected.size() != actual.size()) {
            throw differ(path + ".size()", expected.size(), actual.size());
        }
        Iterator<? extends Map.Entry<?, ?>> others = actual.entrySet().iterator();
        int i = 0;
        for (Map.Entry<?, ?> entry : expected.entrySet()) {
            Map.Entry<?, ?> other = others.next();
            later(entry.getKey(), other.getKey(), path + " key " + i);
            later(entry.getValue(), other.getValue(), path + " value " + i++);
        }
    }

    private void compareFields(Class<?> type, Object expected, Object actual, String path) throws ReflectiveOperationException {
        for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
            for (Field field : declaring.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || isBookkeeping(declaring, field.getName())) {
                    continue;
                }
                Object one = read(field, expected);
                Object other = read(field, actual);
                String place = path + "." + field.getName();
                if (!field.getType().isPrimitive()) {
                    later(one, other, place);
                } else if (!one.equals(other)) {
                    throw differ(place, one, other);
                }
            }
        }
    }

    /** What the JDK keeps for itself says nothing about an object. */
    private static boolean isBookkeeping(Class<?> declaring, String field) {
        return declaring.getName().startsWith("java.") && (field.equals("modCount") || field.equals("hash"));
    }

    /** Fields of the JDK are closed to reflection, those of records to everything else. */
    private static Object read(Field field, Object object) throws ReflectiveOperationException {
        if (field.getDeclaringClass().getClassLoader() != null) {
            field.setAccessible(true);
            return field.get(object);
        }
        Object at = UNSAFE.getClass().getMethod("objectFieldOffset", Field.class).invoke(UNSAFE, field);
        String type = field.getType().isPrimitive() ? field.getType().getName() : "Object";
        String getter = "get" + Character.toUpperCase(type.charAt(0)) + type.substring(1);
        return UNSAFE.getClass().getMethod(getter, Object.class, long.class).invoke(UNSAFE, object, at);
    }

    private static AssertionError differ(String path, Object expected, Object actual) {
        return new AssertionError(path + " is " + actual + " instead of " + expected);
    }

    private static String name(Object object) {
        return object == null ? "null" : "a " + object.getClass().getName();
    }

    /** By name, because the class files of this jar are older than the module it lies in. */
    private static Object unsafe() {
        try {
            Field field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
