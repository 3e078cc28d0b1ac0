package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.internal.misc.Unsafe;

/** The repairs of objects whose state depends on the JVM they live in, after their fields are set. */
final class $RecrashRepairs {
    private static final Unsafe U = Unsafe.getUnsafe();

    private static final int HASHED = 1;
    private static final int IMMUTABLE_SET = 2;
    private static final int IMMUTABLE_MAP = 3;
    private static final int PATTERN = 4;
    private static final int BUFFER = 5;
    private static final int STRING_BUILDER = 6;
    private static final int EXECUTOR = 7;
    private static final int LOCK = 8;
    private static final int THREAD = 9;

    private static final long ENUM_HASH = $RecrashMemory.offset(Enum.class, "hash");

    private final $RecrashRestoreNotes notes;
    private final List<Object> objects = new ArrayList<>();
    private final List<Integer> kinds = new ArrayList<>();
    /** Objects whose identity hash is not the captured one. */
    private final Set<Object> strangers = Collections.newSetFromMap(new IdentityHashMap<>());
    private final $RecrashRehash rehash = new $RecrashRehash(strangers);

    $RecrashRepairs($RecrashRestoreNotes notes) {
        this.notes = notes;
    }

    static int kindOf(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if (!$RecrashOpaque.isJdk(c)) {
                continue;
            }
            switch (c.getName()) {
                case "java.util.HashMap":
                case "java.util.Hashtable":
                case "java.util.IdentityHashMap":
                case "java.util.WeakHashMap":
                case "java.util.concurrent.ConcurrentHashMap":
                    return HASHED;
                case "java.util.ImmutableCollections$SetN":
                    return IMMUTABLE_SET;
                case "java.util.ImmutableCollections$MapN":
                    return IMMUTABLE_MAP;
                case "java.util.regex.Pattern":
                    return PATTERN;
                case "java.nio.Buffer":
                    return BUFFER;
                case "java.lang.AbstractStringBuilder":
                    return STRING_BUILDER;
                case "java.util.concurrent.ThreadPoolExecutor":
                    return EXECUTOR;
                case "java.util.concurrent.locks.AbstractOwnableSynchronizer":
                    return LOCK;
                case "java.lang.Thread":
                    return THREAD;
                default:
                    break;
            }
        }
        return 0;
    }

    /** For a live object that takes over captured state; the part of a thread that makes it run is its own. */
    void laterForLive(Object o, int kind) {
        if (kind != THREAD) {
            objects.add(o);
            kinds.add(kind);
        }
    }

    void later(Object o, int kind) {
        objects.add(o);
        kinds.add(kind);
        if (kind == THREAD) {
            // Before the program's own fields are set, as the constructor of Thread would have run first.
            copy(Thread.class, new Thread(), o);
        }
    }

    /** Gives the object its captured identity hash, or remembers that it has another one here. */
    void setHash(Object o, int hash) {
        boolean set = $RecrashMemory.setHash(o, hash);
        if (o instanceof Enum && ENUM_HASH >= 0) {
            // The constant keeps a copy, which may have been asked for already.
            int kept = U.getInt(o, ENUM_HASH);
            set &= kept == 0 || kept == hash;
        }
        if (!set) {
            strangers.add(o);
        }
    }

    void run() {
        // What contains others was captured before them: inner collections first.
        for (int i = objects.size() - 1; i >= 0; i--) {
            int kind = kinds.get(i);
            Object o = objects.get(i);
            try {
                finish(o, kind);
            } catch (RuntimeException | Error refused) {
                notes.add("an object of class " + o.getClass().getName() + " may not work here (" + refused + ")");
            }
        }
    }

    private void finish(Object o, int kind) {
        switch (kind) {
            case HASHED:
                if (!strangers.isEmpty()) {
                    rehash.rehash(o);
                }
                return;
            case IMMUTABLE_SET:
                Object[] elements = (Object[]) get(o, "elements");
                List<Object> present = new ArrayList<>();
                for (int i = 0; elements != null && i < elements.length; i++) {
                    if (elements[i] != null) {
                        present.add(elements[i]);
                    }
                }
                Set<Object> set = Set.of(present.toArray());
                copyIfSameClass(set, o);
                return;
            case IMMUTABLE_MAP:
                Object[] table = (Object[]) get(o, "table");
                List<Map.Entry<Object, Object>> entries = new ArrayList<>();
                for (int i = 0; table != null && i + 1 < table.length; i += 2) {
                    if (table[i] != null && table[i + 1] != null) {
                        entries.add(Map.entry(table[i], table[i + 1]));
                    }
                }
                @SuppressWarnings({"unchecked", "rawtypes"})
                Map<Object, Object> map = Map.ofEntries(entries.toArray(new Map.Entry[0]));
                copyIfSameClass(map, o);
                return;
            case PATTERN:
                int flags = U.getInt(o, $RecrashMemory.offset(o.getClass(), "flags"));
                copy(o.getClass(), java.util.regex.Pattern.compile((String) get(o, "pattern"), flags), o);
                return;
            case BUFFER:
                $RecrashRareRepairs.buffer((java.nio.Buffer) o);
                return;
            case STRING_BUILDER:
                $RecrashRareRepairs.stringBuilder(o);
                return;
            case EXECUTOR:
                $RecrashRareRepairs.executor(o);
                return;
            case LOCK:
                $RecrashRareRepairs.lock(o);
                return;
            default:
        }
    }

    private static void copyIfSameClass(Object from, Object to) {
        if (from.getClass() == to.getClass()) {
            copy(from.getClass(), from, to);
        }
    }

    /** Copies every instance field that {@code type} and its super classes declare. */
    static void copy(Class<?> type, Object from, Object to) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            Field[] fields = $RecrashMemory.declaredFields(c);
            for (int i = 0; i < fields.length; i++) {
                if (!Modifier.isStatic(fields[i].getModifiers())) {
                    copy(fields[i], from, to);
                }
            }
        }
    }

    static void copy(Field field, Object from, Object to) {
        long offset = U.objectFieldOffset(field);
        switch ($RecrashFieldType.typeOf(field.getType())) {
            case 'L':
                U.putReference(to, offset, U.getReference(from, offset));
                break;
            case 'I':
            case 'F':
                U.putInt(to, offset, U.getInt(from, offset));
                break;
            case 'J':
            case 'D':
                U.putLong(to, offset, U.getLong(from, offset));
                break;
            case 'Z':
            case 'B':
                U.putByte(to, offset, U.getByte(from, offset));
                break;
            default:
                U.putShort(to, offset, U.getShort(from, offset));
                break;
        }
    }

    static Object get(Object o, String field) {
        return $RecrashMemory.reference(o, $RecrashMemory.offset(o.getClass(), field));
    }
}
