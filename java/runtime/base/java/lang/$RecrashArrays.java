package java.lang;

import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;

/**
 * Where the elements of arrays start. Unsafe's own constants and its method changed from int to long in JDK 25, so code
 * compiled with one JDK cannot name them on the other.
 */
final class $RecrashArrays {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private $RecrashArrays() {}

    static int base(Class<?> array) {
        Class<?> element = array.getComponentType();
        String kind = element.isPrimitive() ? element.getName().toUpperCase(java.util.Locale.ROOT) : "OBJECT";
        try {
            Field field = Unsafe.class.getField("ARRAY_" + kind + "_BASE_OFFSET");
            Object holder = UNSAFE.staticFieldBase(field);
            long offset = UNSAFE.staticFieldOffset(field);
            return field.getType() == int.class ? UNSAFE.getInt(holder, offset) : (int) UNSAFE.getLong(holder, offset);
        } catch (NoSuchFieldException changed) {
            throw new InternalError(changed);
        }
    }
}
