package java.lang;

import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The fields of a class that can change, and those by which more objects are reached. Found out once per class and without
 * reflection, which would load the classes of the fields, by the program's own loaders.
 */
final class $RecrashMutableFields {
    /** Nothing can change, and nothing that could is reached. */
    static final int FIXED = 0;
    static final int INSTANCE = 1;
    static final int OBJECTS = 2;
    static final int PRIMITIVES = 3;

    private static final Forms FORMS = new Forms();
    private static final long[] NONE = {};

    /** How the types of fields end that lead to what is used up by being read, see the weaver's {@code consumed.rs}. */
    private static volatile String[] sourceNames = {};
    /** And how those of them end that lead nowhere. */
    private static volatile String[] sourceExceptions = {};

    final int kind;
    /** Fields that can be written: first character of the descriptor, and offset. */
    byte[] types = {};
    long[] offsets = NONE;
    /** How many of them are references. */
    int references;
    private Class<?>[] declarers = {};
    private String[] names = {};
    /** Where references to more objects are. */
    long[] ways = NONE;
    private String[] wayNames = {};
    /** Those of {@link #ways} that lead to what is used up by being read, see {@code $RecrashConsumed}. */
    long[] sources = NONE;
    /** By the fields that a method uses, as it lists them: those of {@link #ways}. */
    private final ConcurrentHashMap<String, long[]> used = new ConcurrentHashMap<>(4);

    private $RecrashMutableFields(Class<?> type) {
        if (type.isArray()) {
            kind = type.getComponentType().isPrimitive() ? PRIMITIVES : OBJECTS;
            return;
        }
        if (!isOpaque(type)) {
            for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
                if (c != Reference.class && c != ClassLoader.class) {
                    addFields(c);
                }
            }
        }
        kind = types.length == 0 && ways.length == 0 ? FIXED : INSTANCE;
    }

    /** Called before any class is asked for: ends of descriptors. */
    static void nameSources(String[] names, String[] exceptions) {
        sourceExceptions = exceptions;
        sourceNames = names;
    }

    static $RecrashMutableFields of(Class<?> type) {
        return FORMS.get(type);
    }

    /** False while the agent is being attached to a running JVM, which links native methods when that is done. */
    static boolean isReady() {
        try {
            $RecrashAgent.fields(Object.class);
            return true;
        } catch (UnsatisfiedLinkError early) {
            return false;
        }
    }

    /** Strings and mirrors have fields that change, but no state that does. */
    private static boolean isOpaque(Class<?> type) {
        return type == String.class || type == Class.class || Member.class.isAssignableFrom(type)
                || $RecrashOpaque.reason(type) != 0;
    }

    private void addFields(Class<?> declaring) {
        String[] listed = $RecrashAgent.fields(declaring);
        for (int i = 0; listed != null && i < listed.length; i += 3) {
            String name = listed[i];
            String kind = listed[i + 2];
            // Offsets are found by name, and byte code may have two fields of one name.
            if (!kind.equals("static") && isUnique(listed, i) && !$RecrashOpaque.skips(declaring, name)) {
                add(declaring, name, listed[i + 1], kind.equals("final"));
            }
        }
    }

    private static boolean isUnique(String[] listed, int place) {
        for (int i = 0; i < listed.length; i += 3) {
            if (i != place && listed[i].equals(listed[place])) {
                return false;
            }
        }
        return true;
    }

    private void add(Class<?> declaring, String name, String descriptor, boolean isFinal) {
        long offset = $RecrashMemory.U.objectFieldOffset(declaring, name);
        boolean isReference = descriptor.charAt(0) == 'L' || descriptor.charAt(0) == '[';
        if (!isFinal) {
            int count = types.length;
            types = Arrays.copyOf(types, count + 1);
            types[count] = (byte) (isReference ? 'L' : descriptor.charAt(0));
            offsets = Arrays.copyOf(offsets, count + 1);
            offsets[count] = offset;
            declarers = Arrays.copyOf(declarers, count + 1);
            declarers[count] = declaring;
            names = Arrays.copyOf(names, count + 1);
            names[count] = name;
            references += isReference ? 1 : 0;
        }
        if (isReference && !descriptor.equals("Ljava/lang/String;")) {
            int count = ways.length;
            ways = Arrays.copyOf(ways, count + 1);
            ways[count] = offset;
            wayNames = Arrays.copyOf(wayNames, count + 1);
            wayNames[count] = name;
            if (isSource(descriptor)) {
                sources = Arrays.copyOf(sources, sources.length + 1);
                sources[sources.length - 1] = offset;
            }
        }
    }

    /** Whether a field of this type leads to what is used up by being read. */
    private static boolean isSource(String descriptor) {
        return endsWithOne(descriptor, sourceNames) && !endsWithOne(descriptor, sourceExceptions);
    }

    private static boolean endsWithOne(String descriptor, String[] ends) {
        for (String end : ends) {
            if (descriptor.endsWith(end)) {
                return true;
            }
        }
        return false;
    }

    /** Those of {@link #ways} whose names are in {@code list}, each followed by a semicolon. */
    long[] waysAmong(String list) {
        long[] found = used.get(list);
        if (found == null) {
            found = new long[ways.length];
            int count = 0;
            for (int i = 0; i < ways.length; i++) {
                if ((";" + list).contains(";" + wayNames[i] + ";")) {
                    found[count++] = ways[i];
                }
            }
            found = Arrays.copyOf(found, count);
            used.put(list, found);
        }
        return found;
    }

    /** The field that can be written, for the report; null when reflection does not find it. */
    Field field(int number) {
        return $RecrashMemory.declaredField(declarers[number], names[number]);
    }

    private static final class Forms extends ClassValue<$RecrashMutableFields> {
        @Override
        protected $RecrashMutableFields computeValue(Class<?> type) {
            return new $RecrashMutableFields(type);
        }
    }
}
