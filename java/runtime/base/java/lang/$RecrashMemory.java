package java.lang;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import jdk.internal.misc.Unsafe;

/** Raw access to objects: every field of every class, and the identity hash in an object's mark word. */
final class $RecrashMemory {
    static final Unsafe U = Unsafe.getUnsafe();

    /** Unfiltered: {@code Class.getDeclaredFields} hides those of Class, Throwable, reflection and more. */
    private static final Method DECLARED_FIELDS = method(Class.class, "getDeclaredFields0", boolean.class);

    private static final long HASH_MASK = 0x7fffffffL;
    private static final Field[] NONE = new Field[0];

    private $RecrashMemory() {}

    static Method method(Class<?> owner, String name, Class<?>... parameters) {
        try {
            Method method = owner.getDeclaredMethod(name, parameters);
            method.setAccessible(true);
            return method;
        } catch (ReflectiveOperationException | RuntimeException absent) {
            return null;
        }
    }

    /** Fields declared by {@code type} itself; none when they cannot be found out. */
    static Field[] declaredFields(Class<?> type) {
        try {
            return (Field[]) DECLARED_FIELDS.invoke(type, Boolean.FALSE);
        } catch (IllegalAccessException | InvocationTargetException | RuntimeException | LinkageError unreadable) {
            Field[] read = $RecrashClassFileFields.of(type);
            return read == null ? NONE : read;
        }
    }

    static Field declaredField(Class<?> type, String name) {
        Field[] fields = declaredFields(type);
        for (int i = 0; i < fields.length; i++) {
            if (fields[i].getName().equals(name)) {
                return fields[i];
            }
        }
        return null;
    }

    /** The offset of an instance field, or -1. */
    static long offset(Class<?> type, String name) {
        Field field = declaredField(type, name);
        return field == null || Modifier.isStatic(field.getModifiers()) ? -1 : U.objectFieldOffset(field);
    }

    static Object reference(Object o, long offset) {
        return offset < 0 ? null : U.getReference(o, offset);
    }

    /** The value of a static reference field; null when there is none of that name. */
    static Object staticReference(Class<?> type, String name) {
        Field field = declaredField(type, name);
        return field == null ? null : U.getReference(U.staticFieldBase(field), U.staticFieldOffset(field));
    }

    /** A lookup with access to everything. */
    static MethodHandles.Lookup trustedLookup() {
        return (MethodHandles.Lookup) staticReference(MethodHandles.Lookup.class, "IMPL_LOOKUP");
    }

    /**
     * Whether {@code mark}, read before anyone asked for the object's hash, shows that the program had: 1 yes, 0 no, -1
     * unknown (the object is locked, and its header elsewhere).
     */
    static int hashed(long mark) {
        // Bits 0 and 1: 01 is unlocked. Bit 2 was the bias of biased locking; a biased object has no hash.
        if (Hash.SHIFT < 0 || (mark & 3) != 1) {
            return -1;
        }
        return (mark & 4) == 0 && (mark >>> Hash.SHIFT & HASH_MASK) != 0 ? 1 : 0;
    }

    /** Makes {@code hash} the identity hash of an object that has none yet; false when it has another one. */
    static boolean setHash(Object o, int hash) {
        for (int attempt = 0; attempt < 4; attempt++) {
            long mark = U.getLong(o, 0L);
            if (hash == 0 || hashed(mark) != 0 || (mark & 4) != 0) {
                break;
            }
            if (U.compareAndSetLong(o, 0L, mark, mark | (hash & HASH_MASK) << Hash.SHIFT)) {
                break;
            }
        }
        return System.identityHashCode(o) == hash;
    }

    /** Found out when it is needed: to ask for a hash changes those that the program sees later. */
    private static final class Hash {
        /** Where a hash stands in the mark word; -1 when that could not be found out. */
        static final int SHIFT = findHashShift();
    }

    private static int findHashShift() {
        Object probe = new Object();
        long before = U.getLong(probe, 0L);
        int hash = System.identityHashCode(probe);
        long after = U.getLong(probe, 0L);
        for (int shift = 2; shift <= 33; shift++) {
            if ((before >>> shift & HASH_MASK) == 0 && (after >>> shift & HASH_MASK) == hash
                    && (before | (long) hash << shift) == after) {
                return shift;
            }
        }
        return -1;
    }
}
