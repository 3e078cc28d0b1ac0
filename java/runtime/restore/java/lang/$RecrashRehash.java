package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Hash tables whose keys got another identity hash than they had, because they are objects of this JVM: a Class, an
 * enum constant of the JDK. Only tables with such keys are touched, for a program's fault may be a key that changed.
 */
final class $RecrashRehash {
    /** How far a hash code is followed into a key: a list of records of enum constants, say. */
    private static final int DEPTH = 4;

    private final Set<Object> strangers;
    private final Map<Class<?>, long[]> references = new IdentityHashMap<>();

    $RecrashRehash(Set<Object> strangers) {
        this.strangers = strangers;
    }

    private boolean dependsOnStranger(Object key, int depth) {
        if (key == null || key instanceof String || key instanceof Number) {
            return false;
        }
        if (strangers.contains(key)) {
            return true;
        }
        Class<?> type = key.getClass();
        if (depth == 0 || type == Class.class || key instanceof Enum) {
            return false;
        }
        if (key instanceof Object[]) {
            Object[] elements = (Object[]) key;
            for (int i = 0; i < elements.length && i < 64; i++) {
                if (dependsOnStranger(elements[i], depth - 1)) {
                    return true;
                }
            }
            return false;
        }
        for (long offset : references(type)) {
            if (dependsOnStranger($RecrashMemory.U.getReference(key, offset), depth - 1)) {
                return true;
            }
        }
        return false;
    }

    /** Where the references of an instance are; listing the fields of a class is dear, and tables have many keys. */
    private long[] references(Class<?> type) {
        long[] known = references.get(type);
        if (known != null) {
            return known;
        }
        long[] found = new long[4];
        int count = 0;
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            Field[] fields = $RecrashMemory.declaredFields(c);
            for (int i = 0; i < fields.length; i++) {
                if (!Modifier.isStatic(fields[i].getModifiers()) && !fields[i].getType().isPrimitive()) {
                    if (count == found.length) {
                        found = Arrays.copyOf(found, count * 2);
                    }
                    found[count++] = $RecrashMemory.U.objectFieldOffset(fields[i]);
                }
            }
        }
        found = Arrays.copyOf(found, count);
        references.put(type, found);
        return found;
    }

    /**
     * Puts every mapping into its place anew. A plain map of the JDK's own class takes over the captured tables and is
     * iterated, so that no method a program may have overridden runs, except hashCode and equals of the keys.
     */
    void rehash(Object map) {
        Map<Object, Object> old;
        Map<Object, Object> fresh;
        if (map instanceof LinkedHashMap) {
            old = new LinkedHashMap<>();
            $RecrashRepairs.copy(LinkedHashMap.class, map, old);
            fresh = new LinkedHashMap<>();
        } else if (map instanceof HashMap) {
            old = new HashMap<>();
            $RecrashRepairs.copy(HashMap.class, map, old);
            fresh = new HashMap<>();
        } else if (map instanceof Hashtable) {
            if (map instanceof java.util.Properties) {
                // Its mappings are in a ConcurrentHashMap, which is among the objects too.
                return;
            }
            old = new Hashtable<>();
            $RecrashRepairs.copy(Hashtable.class, map, old);
            fresh = new Hashtable<>();
        } else if (map instanceof IdentityHashMap) {
            old = new IdentityHashMap<>();
            $RecrashRepairs.copy(IdentityHashMap.class, map, old);
            fresh = new IdentityHashMap<>();
        } else if (map instanceof WeakHashMap) {
            old = new WeakHashMap<>();
            $RecrashRepairs.copy(WeakHashMap.class, map, old);
            fresh = new WeakHashMap<>();
        } else {
            old = new ConcurrentHashMap<>();
            $RecrashRepairs.copy(ConcurrentHashMap.class, map, old);
            fresh = new ConcurrentHashMap<>();
        }
        boolean misplaced = false;
        for (Object key : old.keySet()) {
            if (map instanceof IdentityHashMap ? strangers.contains(key) : dependsOnStranger(key, DEPTH)) {
                misplaced = true;
                break;
            }
        }
        if (!misplaced) {
            return;
        }
        for (Map.Entry<Object, Object> entry : old.entrySet()) {
            fresh.put(entry.getKey(), entry.getValue());
        }
        if (fresh.size() == old.size()) {
            copyTables(fresh, map);
        }
    }

    private static void copyTables(Map<Object, Object> fresh, Object map) {
        String[] tables = {"table", "size", "count", "threshold", "head", "tail", "baseCount", "counterCells", "sizeCtl",
            "queue"};
        for (Class<?> c = fresh.getClass(); c != null; c = c.getSuperclass()) {
            for (int i = 0; i < tables.length; i++) {
                Field field = $RecrashMemory.declaredField(c, tables[i]);
                if (field != null && !Modifier.isStatic(field.getModifiers())) {
                    $RecrashRepairs.copy(field, fresh, map);
                }
            }
        }
    }
}
