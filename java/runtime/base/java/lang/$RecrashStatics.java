package java.lang;

import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import jdk.internal.misc.Unsafe;

/** Static fields of initialised classes and the locals of a thread, as parallel arrays. */
final class $RecrashStatics {
    private static final Unsafe U = Unsafe.getUnsafe();

    int count;
    /** Binary names with dots. */
    String[] classes = new String[64];
    String[] fields = new String[64];
    String[] descriptors = new String[64];
    boolean[] finals = new boolean[64];
    /** The value of a reference field, else null. */
    Object[] references = new Object[64];
    /** The value of a primitive field: sign-extended integers, raw bits of float and double. */
    long[] bits = new long[64];

    /** Static fields of those of {@code loaded} that are initialised; initialises none. */
    static $RecrashStatics of(Class<?>[] loaded) {
        $RecrashStatics statics = new $RecrashStatics();
        for (int i = 0; i < loaded.length; i++) {
            Class<?> type = loaded[i];
            // Hidden classes and proxies cannot be found again by name.
            if (type == null || type.isArray() || type.isPrimitive() || type.isHidden()
                    || java.lang.reflect.Proxy.class.isAssignableFrom(type) || U.shouldBeInitialized(type)) {
                continue;
            }
            Field[] declared = $RecrashMemory.declaredFields(type);
            for (int f = 0; f < declared.length; f++) {
                if (Modifier.isStatic(declared[f].getModifiers())) {
                    statics.add(type, declared[f]);
                }
            }
        }
        return statics;
    }

    /** Key, value, key, value … of the thread locals of {@code thread}; {@code inheritable} selects the other map. */
    static Object[] threadLocals(Thread thread, boolean inheritable) {
        Object map = $RecrashMemory.reference(thread,
                $RecrashMemory.offset(Thread.class, inheritable ? "inheritableThreadLocals" : "threadLocals"));
        if (map == null) {
            return new Object[0];
        }
        Object entries = $RecrashMemory.reference(map, $RecrashMemory.offset(map.getClass(), "table"));
        if (!(entries instanceof Object[])) {
            return new Object[0];
        }
        Object[] table = (Object[]) entries;
        Object[] result = new Object[table.length * 2];
        int at = 0;
        long value = -1;
        for (int i = 0; i < table.length; i++) {
            if (table[i] == null) {
                continue;
            }
            if (value < 0) {
                value = $RecrashMemory.offset(table[i].getClass(), "value");
            }
            Object key = ((Reference<?>) table[i]).get();
            if (key != null && isOfProgram(key)) {
                result[at++] = key;
                result[at++] = $RecrashMemory.reference(table[i], value);
            }
        }
        return Arrays.copyOf(result, at);
    }

    /** Sub classes of ThreadLocal inside the JDK hold the JDK's own state. */
    private static boolean isOfProgram(Object key) {
        Class<?> type = key.getClass();
        return type == ThreadLocal.class || type == InheritableThreadLocal.class
                || type.getName().equals("java.lang.ThreadLocal$SuppliedThreadLocal") || !$RecrashOpaque.isJdk(type);
    }

    private void add(Class<?> type, Field field) {
        if (count == classes.length) {
            int length = count * 2;
            classes = Arrays.copyOf(classes, length);
            fields = Arrays.copyOf(fields, length);
            descriptors = Arrays.copyOf(descriptors, length);
            finals = Arrays.copyOf(finals, length);
            references = Arrays.copyOf(references, length);
            bits = Arrays.copyOf(bits, length);
        }
        Object base = U.staticFieldBase(field);
        long offset = U.staticFieldOffset(field);
        classes[count] = type.getName();
        fields[count] = field.getName();
        descriptors[count] = field.getType().descriptorString();
        finals[count] = Modifier.isFinal(field.getModifiers());
        switch ($RecrashFieldType.typeOf(field.getType())) {
            case 'L':
                references[count] = U.getReference(base, offset);
                break;
            case 'I':
            case 'F':
                bits[count] = U.getInt(base, offset);
                break;
            case 'J':
            case 'D':
                bits[count] = U.getLong(base, offset);
                break;
            case 'S':
                bits[count] = U.getShort(base, offset);
                break;
            case 'C':
                bits[count] = U.getChar(base, offset);
                break;
            default:
                bits[count] = U.getByte(base, offset);
                break;
        }
        count++;
    }
}
