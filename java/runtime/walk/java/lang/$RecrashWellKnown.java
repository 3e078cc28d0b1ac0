package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import jdk.internal.misc.Unsafe;

/**
 * Objects that every JVM has one of: the values of static final fields of JDK classes, such as {@code
 * Collections.EMPTY_LIST} or the marker inside every HashSet. Filled class by class as a walk meets them, because
 * scanning all classes would cost more than the walk.
 */
final class $RecrashWellKnown {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final int SLOTS = 1 << 13;

    /** Open addressing by identity; parallel arrays. */
    private final Object[] values = new Object[SLOTS];
    private final Field[] fields = new Field[SLOTS];
    private int count;
    /** The classes that some value has, open addressing by identity. */
    private final Class<?>[] kinds = new Class<?>[SLOTS];
    private int kindCount;
    private final $RecrashClasses classes;

    $RecrashWellKnown($RecrashClasses classes) {
        this.classes = classes;
    }

    /** Classes whose constants turn up in graphs without any of their instances. */
    void addUsual() {
        add(System.class);
        add(Throwable.class);
        add(java.util.Collections.class);
        add(java.util.Optional.class);
        add(java.util.Locale.class);
        add(java.nio.charset.StandardCharsets.class);
        add(java.util.HashSet.class);
        add(java.util.ArrayList.class);
    }

    /** Whether the table has a value of exactly this class. */
    boolean hasKind(Class<?> kind) {
        int i = System.identityHashCode(kind) & SLOTS - 1;
        while (kinds[i] != null) {
            if (kinds[i] == kind) {
                return true;
            }
            i = i + 1 & SLOTS - 1;
        }
        return false;
    }

    /** The field that holds {@code o}, or null. */
    Field find(Object o) {
        int i = System.identityHashCode(o) & SLOTS - 1;
        while (values[i] != null) {
            if (values[i] == o) {
                return fields[i];
            }
            i = i + 1 & SLOTS - 1;
        }
        return null;
    }

    /** Adds the constants of a JDK class, if it is initialised. */
    void add(Class<?> type) {
        if (U.shouldBeInitialized(type)) {
            return;
        }
        Field[] declared = $RecrashMemory.declaredFields(type);
        for (int i = 0; i < declared.length; i++) {
            Field field = declared[i];
            int modifiers = field.getModifiers();
            if (Modifier.isStatic(modifiers) && Modifier.isFinal(modifiers) && !field.getType().isPrimitive()
                    && count < SLOTS / 2 && kindCount < SLOTS / 2) {
                Object value = U.getReference(U.staticFieldBase(field), U.staticFieldOffset(field));
                if (value != null && isDistinct(value)) {
                    put(value, field);
                }
            }
        }
    }

    /** Strings, classes and numbers have ways of their own; of arrays only empty ones serve as markers. */
    private static boolean isDistinct(Object value) {
        Class<?> kind = value.getClass();
        if (kind.isArray()) {
            return java.lang.reflect.Array.getLength(value) == 0;
        }
        return kind != String.class && kind != Class.class && kind != Integer.class && kind != Long.class
                && !(value instanceof Enum);
    }

    private void put(Object value, Field field) {
        int i = System.identityHashCode(value) & SLOTS - 1;
        while (values[i] != null) {
            if (values[i] == value) {
                return;
            }
            i = i + 1 & SLOTS - 1;
        }
        values[i] = value;
        fields[i] = field;
        count++;
        Class<?> kind = value.getClass();
        i = System.identityHashCode(kind) & SLOTS - 1;
        while (kinds[i] != null) {
            if (kinds[i] == kind) {
                return;
            }
            i = i + 1 & SLOTS - 1;
        }
        kinds[i] = kind;
        kindCount++;
        classes.mayBeWellKnown(kind);
    }
}
