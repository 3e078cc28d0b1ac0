package java.lang;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.Arrays;
import jdk.internal.misc.Unsafe;

/**
 * The values that {@code ScopedValue}s are bound to in a thread, read and bound again without a class that JDKs before 21
 * lack. What binds is not on the stack of a test, so there the binding is the thread's own.
 */
final class $RecrashScopedValues {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final String NAME = "java.lang.ScopedValue";
    /** -1 where there are none. */
    static final long BINDINGS = bindings();
    private static final int MOST = 64;

    private $RecrashScopedValues() {}

    private static long bindings() {
        try {
            return U.objectFieldOffset(Thread.class, "scopedValueBindings");
        } catch (InternalError olderJdk) {
            return -1;
        }
    }

    static boolean isOne(Object o) {
        return BINDINGS >= 0 && o != null && o.getClass().getName().equals(NAME);
    }

    /** What the thread has bound at this moment; null for nothing. */
    static Object of(Thread thread) {
        Object bindings = BINDINGS < 0 || thread == null ? null : U.getReference(thread, BINDINGS);
        // New threads have a class there.
        return bindings instanceof Class ? null : bindings;
    }

    /** Key, value, key, value ... of what {@link #of} returned, the binding that counts of each key. */
    static Object[] pairs(Object bindings) {
        Object[] pairs = new Object[MOST];
        int at = 0;
        for (Object snapshot = bindings; snapshot != null; snapshot = field(snapshot, "prev")) {
            for (Object carrier = field(snapshot, "bindings"); carrier != null; carrier = field(carrier, "prev")) {
                Object key = field(carrier, "key");
                if (key == null || at == MOST) {
                    return Arrays.copyOf(pairs, at);
                }
                if (!isKnown(key, pairs, at)) {
                    pairs[at++] = key;
                    pairs[at++] = field(carrier, "value");
                }
            }
        }
        return Arrays.copyOf(pairs, at);
    }

    private static boolean isKnown(Object key, Object[] pairs, int count) {
        for (int i = 0; i < count; i += 2) {
            if (pairs[i] == key) {
                return true;
            }
        }
        return false;
    }

    private static Object field(Object o, String name) {
        return $RecrashMemory.reference(o, $RecrashMemory.offset(o.getClass(), name));
    }

    /** Binds one more value in this thread, until the field {@link #BINDINGS} and the cache are put back. */
    static void bind(Object key, Object value) throws ReflectiveOperationException {
        Method where = key.getClass().getMethod("where", key.getClass(), Object.class);
        Object carrier = where.invoke(null, key, value);
        Class<?> type = Class.forName(NAME + "$Snapshot");
        Object before = of(Thread.currentThread());
        if (before == null) {
            before = $RecrashMemory.staticReference(type, "EMPTY_SNAPSHOT");
        }
        Constructor<?> made = type.getDeclaredConstructor(carrier.getClass(), type);
        made.setAccessible(true);
        Object snapshot = made.newInstance(carrier, before);
        U.putReference(Thread.currentThread(), BINDINGS, snapshot);
        forgetCached();
    }

    /** Threads remember what they found. */
    static void forgetCached() {
        Method cache = $RecrashMemory.method(Thread.class, "setScopedValueCache", Object[].class);
        if (cache != null) {
            try {
                cache.invoke(null, (Object) null);
            } catch (ReflectiveOperationException refused) {
                // What is cached stays until other values take its place.
            }
        }
    }
}
