package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import jdk.internal.misc.Unsafe;

/** The fields that the numbers in notes of the journal stand for, looked up at a failure. */
final class $RecrashFieldNumbers {
    private static final Unsafe U = Unsafe.getUnsafe();

    private final Map<Class<?>, Map<Integer, Field>> known = new HashMap<>();
    private final Map<Integer, String[]> names = new HashMap<>();

    /** The field of an object, by its number or, where that is negative, by the offset it is the complement of. */
    Field of(Object o, int place) {
        Class<?> type = o.getClass();
        Map<Integer, Field> fields = known.get(type);
        if (fields == null) {
            fields = new HashMap<>();
            known.put(type, fields);
        }
        if (!fields.containsKey(place)) {
            fields.put(place, place < 0 ? byOffset(type, ~place) : byNumber(type, place));
        }
        return fields.get(place);
    }

    /** Class, name and descriptor, as the code has them. */
    String[] names(int number) {
        String[] found = names.get(number);
        if (found == null) {
            found = $RecrashAgent.place(number);
            names.put(number, found);
        }
        return found;
    }

    private Field byNumber(Class<?> type, int number) {
        String[] place = names(number);
        Class<?> declaring = place == null ? null : $RecrashAgent.declaring(number, type);
        Field[] fields = declaring == null ? new Field[0] : $RecrashMemory.declaredFields(declaring);
        for (int i = 0; i < fields.length; i++) {
            if (fields[i].getName().equals(place[1]) && !Modifier.isStatic(fields[i].getModifiers())) {
                return fields[i];
            }
        }
        return null;
    }

    private static Field byOffset(Class<?> type, int offset) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            Field[] fields = $RecrashMemory.declaredFields(c);
            for (int i = 0; i < fields.length; i++) {
                if (!Modifier.isStatic(fields[i].getModifiers()) && U.objectFieldOffset(fields[i]) == offset) {
                    return fields[i];
                }
            }
        }
        return null;
    }
}
