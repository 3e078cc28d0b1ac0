package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;

/**
 * The state around the frame: static fields, thread locals and entry values. Where a static field already holds an
 * object of the captured class, that object takes over the captured state, so that everything else in this JVM that
 * refers to it goes on doing so.
 */
final class $RecrashOverlay {
    private final $RecrashRevival revival;
    private final $RecrashPlan plan;
    private final ClassLoader loader;
    private final $RecrashRestoreNotes notes;

    private int statics;
    /** By static field of the plan; null where it does not exist here. */
    private Field[] fields;
    /** By name; null for those that cannot be initialised here. */
    private final Map<String, Class<?>> initialised = new HashMap<>();
    private $RecrashCarriedClasses carried;
    /** By class and name: where entry values go; null where there is no such place. */
    private final Map<Class<?>, Map<String, Field>> patched = new HashMap<>();

    $RecrashOverlay($RecrashRevival revival, $RecrashPlan plan, ClassLoader loader, $RecrashRestoreNotes notes) {
        this.revival = revival;
        this.plan = plan;
        this.loader = loader;
        this.notes = notes;
    }

    /**
     * Initialises the classes of static fields, but for those that travel with the plan: the others may make some of
     * these themselves, and their own are better. The plan is at the statics.
     */
    void initialise($RecrashCarriedClasses carried) {
        this.carried = carried;
        for (int n = plan.u4(); n > 0; n--) {
            String owner = plan.text();
            plan.skipText();
            plan.skipText();
            plan.skip(9);
            if (!carried.has(owner)) {
                initialise(owner);
            }
        }
    }

    /** Initialises the classes and lets their live objects stand for captured ones; the plan is at the statics. */
    void bind($RecrashBinding binding) {
        statics = plan.at;
        fields = new Field[plan.u4()];
        String last = "";
        Class<?> type = null;
        Field[] declared = null;
        for (int i = 0; i < fields.length; i++) {
            String owner = plan.text();
            String name = plan.text();
            String descriptor = plan.text();
            int kind = plan.u1();
            long bits = plan.u8();
            if (!owner.equals(last)) {
                last = owner;
                type = initialise(owner);
                // Listing them is dear, and a class of constants has thousands.
                declared = type == null ? null : $RecrashMemory.declaredFields(type);
            }
            Field field = type == null ? null : find(declared, name, descriptor, Modifier.STATIC);
            fields[i] = field;
            if (field == null) {
                if (type != null) {
                    notes.add("static field " + owner + "." + name + " does not exist here; left out");
                }
                continue;
            }
            if (kind == 'L' && bits != 0) {
                Object live = $RecrashMemory.U.getReference($RecrashMemory.U.staticFieldBase(field),
                        $RecrashMemory.U.staticFieldOffset(field));
                if (live != null) {
                    binding.bind((int) bits, live);
                }
            }
        }
        int end = plan.at;
        binding.bindReferences();
        plan.at = end;
    }

    private Class<?> initialise(String name) {
        if (!initialised.containsKey(name)) {
            initialised.put(name, tryInitialise(name));
        }
        return initialised.get(name);
    }

    private Class<?> tryInitialise(String name) {
        try {
            Class<?> type = Class.forName(name, true, loader);
            // Statics of the JDK belong to the JVM that runs, whatever a snapshot says.
            return $RecrashOpaque.isJdk(type) ? null : type;
        } catch (ClassNotFoundException | LinkageError absent) {
            if (carried != null && carried.has(name) && absent instanceof ClassNotFoundException) {
                // No object of the frame is of this class.
                return null;
            }
            notes.add("the statics of " + name + " are left out: the class cannot be initialised here (" + absent + ")");
            return null;
        }
    }

    void apply() {
        plan.at = statics + 4;
        for (int i = 0; i < fields.length; i++) {
            plan.skipText();
            plan.skipText();
            plan.skipText();
            int kind = plan.u1();
            long bits = plan.u8();
            if (fields[i] != null) {
                revival.set(null, fields[i], kind, bits);
            }
        }
        applyThreadLocals();
        applyPatches();
    }

    private void applyThreadLocals() {
        for (int n = plan.u4(); n > 0; n--) {
            Object key = revival.object(plan.u4());
            plan.skip(1);
            int kind = plan.u1();
            long bits = plan.u8();
            if ($RecrashScopedValues.isOne(key)) {
                bindScoped(key, revival.object((int) bits));
                continue;
            }
            if (kind != 'L' || !(key instanceof ThreadLocal) || bits != 0 && revival.object((int) bits) == null) {
                continue;
            }
            @SuppressWarnings("unchecked")
            ThreadLocal<Object> local = (ThreadLocal<Object>) key;
            revival.keepLocal(local);
            try {
                local.set(revival.object((int) bits));
            } catch (RuntimeException refused) {
                notes.add("a thread local of class " + key.getClass().getName() + " cannot be set (" + refused + ")");
            }
        }
    }

    private void bindScoped(Object key, Object value) {
        revival.keepScopedValues();
        try {
            $RecrashScopedValues.bind(key, value);
        } catch (ReflectiveOperationException | RuntimeException refused) {
            notes.add("a scoped value cannot be bound (" + refused + ")");
        }
    }

    private void applyPatches() {
        for (int n = plan.u4(); n > 0; n--) {
            int id = plan.u4();
            Object target = revival.object(id);
            String owner = plan.text();
            String name = plan.text();
            String descriptor = plan.text();
            int kind = plan.u1();
            long bits = plan.u8();
            if (name.startsWith("[")) {
                revival.setElement(target, Integer.parseInt(name, 1, name.length() - 1, 10), kind, bits);
                continue;
            }
            Class<?> type = id == 0 ? initialise(owner) : target == null ? null : target.getClass();
            String place = owner.concat(".").concat(name);
            Map<String, Field> known = patched.get(type);
            if (known == null) {
                known = new HashMap<>();
                patched.put(type, known);
            }
            if (!known.containsKey(place)) {
                known.put(place, place(type, owner, name, descriptor, id == 0 ? Modifier.STATIC : 0));
            }
            Field field = known.get(place);
            if (field == null) {
                notes.add("the entry value of " + place + " has no place here; left out");
                continue;
            }
            revival.set(target, field, kind, bits);
        }
    }

    /** The field that code names by {@code owner}, from {@code type} upwards. */
    private static Field place(Class<?> type, String owner, String name, String descriptor, int isStatic) {
        while (type != null && !type.getName().equals(owner)) {
            type = type.getSuperclass();
        }
        // The code may name a sub class of the one that declares the field (JVMS 5.4.3.2).
        Field field = null;
        while (type != null
                && (field = find($RecrashMemory.declaredFields(type), name, descriptor, isStatic)) == null) {
            type = type.getSuperclass();
        }
        return field == null || $RecrashOpaque.skips(type, name) || $RecrashOpaque.reason(type) != 0 ? null : field;
    }

    private static Field find(Field[] declared, String name, String descriptor, int isStatic) {
        for (int i = 0; i < declared.length; i++) {
            if (declared[i].getName().equals(name) && (declared[i].getModifiers() & Modifier.STATIC) == isStatic
                    && declared[i].getType().descriptorString().equals(descriptor)) {
                return declared[i];
            }
        }
        return null;
    }
}
