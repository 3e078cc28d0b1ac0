package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import jdk.internal.misc.Unsafe;

/**
 * A field by its name, wherever in a class or its superclasses it is declared: libraries come in many versions, and by
 * several loaders at once. Read without calling any of their methods.
 */
final class $RecrashNamedField extends ClassValue<Long> {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final Long NOWHERE = -1L;

    private final String name;
    private final boolean isNumber;

    private $RecrashNamedField(String name, boolean isNumber) {
        this.name = name;
        this.isNumber = isNumber;
    }

    static $RecrashNamedField object(String name) {
        return new $RecrashNamedField(name, false);
    }

    static $RecrashNamedField number(String name) {
        return new $RecrashNamedField(name, true);
    }

    /** Null where there is no such field. */
    Object read(Object object) {
        if (object == null) {
            return null;
        }
        long offset = get(object.getClass());
        return offset < 0 ? null : UNSAFE.getReference(object, offset);
    }

    int number(Object object, int otherwise) {
        if (object == null) {
            return otherwise;
        }
        long offset = get(object.getClass());
        return offset < 0 ? otherwise : UNSAFE.getInt(object, offset);
    }

    /** Of several the one nearest to {@code Object}: a subclass may use the name for something of its own. */
    @Override
    protected Long computeValue(Class<?> type) {
        Long found = NOWHERE;
        for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
            try {
                Field field = declaring.getDeclaredField(name);
                boolean fits = isNumber ? field.getType() == int.class : !field.getType().isPrimitive();
                if (fits && !Modifier.isStatic(field.getModifiers())) {
                    found = UNSAFE.objectFieldOffset(field);
                }
            } catch (NoSuchFieldException | LinkageError elsewhere) {
                // Perhaps in the superclass.
            }
        }
        return found;
    }
}
