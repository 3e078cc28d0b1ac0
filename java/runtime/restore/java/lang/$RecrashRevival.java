package java.lang;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.IdentityHashMap;
import jdk.internal.misc.Unsafe;

/**
 * One execution of a restore plan: find the records, take live objects where there are some, allocate the others, fill
 * all, then set statics, thread locals and patches.
 *
 * <p>No constructor runs. A reference is stored only where its class allows it, so whatever a plan says, the JVM's type
 * safety holds.
 */
final class $RecrashRevival {
    private static final Unsafe U = Unsafe.getUnsafe();

    private final $RecrashPlan plan;
    private final ClassLoader loader;
    private final $RecrashRestoreNotes notes;
    private final $RecrashRepairs finish;
    private final $RecrashMaker maker;
    private final $RecrashReplacedState pristine = $RecrashReplacedState.begin();

    private $RecrashShape[] shapes;
    /** By id: where the record starts, and the object. */
    private int[] starts;
    private Object[] objects;
    /** One bit per id: objects of this JVM that take over the captured state. */
    private long[] bound;
    private int needed;

    $RecrashRevival($RecrashPlan plan, ClassLoader loader, $RecrashRestoreNotes notes) {
        this.plan = plan;
        this.loader = loader;
        this.notes = notes;
        this.finish = new $RecrashRepairs(notes);
        this.maker = new $RecrashMaker(plan, loader, notes, finish);
    }

    Object[] run() {
        if (plan.u4() != $RecrashPlanFormat.MAGIC) {
            throw new IllegalStateException("this is no restore plan");
        }
        expect("the restore plan", plan.u4(), $RecrashPlanFormat.VERSION);
        String owner = plan.text();
        $RecrashCarriedClasses carried = new $RecrashCarriedClasses(plan, loader, notes);
        int heapEnd = plan.u4() + plan.at;
        readClasses();
        index(heapEnd);
        plan.at = heapEnd;
        int bits = plan.u4();
        needed = plan.at;
        plan.skip(bits);
        if (bits < starts.length / 8) {
            throw new IllegalStateException("the restore plan does not say which objects to restore");
        }
        int tail = plan.at;
        skipRoots();
        $RecrashBinding binding = new $RecrashBinding(this, plan, loader, notes, finish);
        $RecrashOverlay overlay = new $RecrashOverlay(this, plan, loader, notes);
        if (!carried.isEmpty()) {
            int at = plan.at;
            overlay.initialise(carried);
            carried.need(owner);
            bringClasses(carried);
            plan.at = at;
        }
        overlay.bind(binding);
        allocate();
        fill();
        overlay.apply();
        finish.run();
        plan.at = tail;
        return roots();
    }

    private static void expect(String what, int found, int known) {
        if (found != known) {
            throw new IllegalStateException(what + " has version " + found + ", this side reads version " + known
                    + ": they come from different builds of recrash");
        }
    }

    private void readClasses() {
        plan.skip(4);
        expect("the heap part", plan.u4(), $RecrashTag.VERSION);
        int classes = plan.u4();
        int count = plan.u4();
        plan.skip(8);
        shapes = new $RecrashShape[Math.min(classes, plan.bytes.length)];
        for (int i = 0; i < shapes.length; i++) {
            shapes[i] = new $RecrashShape(plan, shapes);
        }
        starts = new int[Math.min(count, plan.bytes.length) + 1];
        objects = new Object[starts.length];
        bound = new long[starts.length / 64 + 1];
    }

    private void index(int end) {
        for (int id = 1; id < starts.length; id++) {
            starts[id] = plan.at;
            int tag = plan.u1();
            $RecrashShape shape = shapes[plan.u4()];
            if ((tag & $RecrashTag.HAS_HASH) != 0) {
                plan.skip(4);
            }
            switch (tag & ~$RecrashTag.HAS_HASH) {
                case $RecrashTag.INSTANCE:
                    plan.skip(shape.bytes);
                    break;
                case $RecrashTag.OBJECT_ARRAY:
                    plan.skip(4L * plan.u4());
                    break;
                case $RecrashTag.PRIMITIVE_ARRAY:
                    plan.skip((long) plan.u4() * $RecrashShape.width(shape.name.charAt(1)));
                    break;
                case $RecrashTag.STRING:
                    plan.skip(1);
                    plan.skip(plan.u4());
                    break;
                case $RecrashTag.BOXED:
                    plan.skip(8);
                    break;
                case $RecrashTag.ENUM:
                    plan.skipText();
                    plan.skip(shape.bytes);
                    break;
                case $RecrashTag.CLASS:
                    plan.skipText();
                    break;
                case $RecrashTag.WELL_KNOWN:
                    plan.skip(4);
                    plan.skipText();
                    break;
                case $RecrashTag.STAND_IN:
                    plan.skip(1);
                    plan.skipText();
                    break;
                case $RecrashTag.MEMBER:
                    plan.skip(1);
                    plan.skipText();
                    plan.skipText();
                    plan.skipText();
                    break;
                case $RecrashTag.CUT:
                    break;
                default:
                    throw new IllegalStateException("the restore plan has an object of unknown kind " + tag);
            }
        }
        if (plan.at != end) {
            throw new IllegalStateException("the heap part is " + (end - plan.at) + " bytes longer than its objects");
        }
    }

    /** The classes that the needed objects are of or stand for. */
    private void bringClasses($RecrashCarriedClasses carried) {
        for (int id = 1; id < starts.length; id++) {
            if (!isNeeded(id)) {
                continue;
            }
            $RecrashShape shape = open(id);
            int tag = tag(id);
            if (tag == $RecrashTag.CLASS) {
                carried.need(plan.text());
            } else if (tag == $RecrashTag.MEMBER) {
                plan.skip(1);
                carried.need(plan.text());
            } else if (!shape.brought) {
                shape.brought = true;
                shape.bring(carried);
            }
        }
    }

    /** Those among the objects, with their numbers. */
    IdentityHashMap<Throwable, Integer> throwables() {
        IdentityHashMap<Throwable, Integer> found = new IdentityHashMap<>();
        for (int id = 1; id < objects.length; id++) {
            if (objects[id] instanceof Throwable) {
                found.put((Throwable) objects[id], id);
            }
        }
        return found;
    }

    boolean isNeeded(int id) {
        return (plan.bytes[needed + (id >> 3)] >> (id & 7) & 1) != 0;
    }

    Object object(int id) {
        return objects[id];
    }

    int tag(int id) {
        return plan.bytes[starts[id]] & $RecrashTag.HAS_HASH - 1;
    }

    /** Whether the record says nothing about the object's state, so that a live one is better. */
    boolean isVague(int id) {
        int tag = tag(id);
        return tag == $RecrashTag.STAND_IN || tag == $RecrashTag.CUT;
    }

    /** Puts the plan behind the head of a record; the record's shape is returned. */
    $RecrashShape open(int id) {
        plan.at = starts[id];
        int tag = plan.u1();
        $RecrashShape shape = shapes[plan.u4()];
        if ((tag & $RecrashTag.HAS_HASH) != 0) {
            plan.skip(4);
        }
        return shape;
    }

    /** From here on, a live object is the object {@code id}. */
    void bind(int id, Object live) {
        objects[id] = live;
        bound[id >> 6] |= 1L << (id & 63);
    }

    private boolean isBound(int id) {
        return (bound[id >> 6] >>> (id & 63) & 1) != 0;
    }

    private void allocate() {
        for (int id = 1; id < starts.length; id++) {
            if (!isNeeded(id)) {
                continue;
            }
            plan.at = starts[id];
            int tag = plan.u1();
            $RecrashShape shape = shapes[plan.u4()];
            int hash = (tag & $RecrashTag.HAS_HASH) != 0 ? plan.u4() : 0;
            Object o = objects[id];
            if (o == null) {
                try {
                    o = maker.make(tag & ~$RecrashTag.HAS_HASH, shape, shapes);
                } catch (RuntimeException | ReflectiveOperationException | LinkageError refused) {
                    shape.problem = "an object of class " + shape.name + " cannot be made here (" + refused + ")";
                    notes.add(shape.problem);
                }
                objects[id] = o;
            }
            if (o != null && hash != 0) {
                finish.setHash(o, hash);
            }
        }
    }

    private void fill() {
        for (int id = 1; id < starts.length; id++) {
            Object o = objects[id];
            if (o == null) {
                continue;
            }
            $RecrashShape shape = open(id);
            switch (tag(id)) {
                case $RecrashTag.INSTANCE:
                    fillFields(o, shape, isBound(id));
                    break;
                case $RecrashTag.ENUM:
                    plan.skipText();
                    // The constants of the JDK are everybody's; one with a body is of another class than its brothers.
                    if (shape.bytes != 0 && shape.live.isInstance(o) && !$RecrashOpaque.isJdk(shape.live)) {
                        fillFields(o, shape, true);
                    }
                    break;
                case $RecrashTag.OBJECT_ARRAY:
                    if (isBound(id)) {
                        pristine.keepArray(o);
                    }
                    fillArray((Object[]) o, isBound(id));
                    break;
                case $RecrashTag.PRIMITIVE_ARRAY:
                    if (isBound(id)) {
                        pristine.keepArray(o);
                        int length = plan.u4();
                        plan.raw(o, shape.base, length * $RecrashShape.width(shape.name.charAt(1)));
                    }
                    break;
                default:
                    break;
            }
        }
    }

    private void fillArray(Object[] array, boolean live) {
        plan.skip(4);
        Class<?> component = array.getClass().getComponentType();
        for (int i = 0; i < array.length; i++) {
            int id = plan.u4();
            Object value = objects[id];
            if (id != 0 && live && (value == null || isVague(id))) {
                continue;
            }
            if (value == null || component == Object.class || component.isInstance(value)) {
                array[i] = value;
            } else {
                mismatch(component, value);
            }
        }
    }

    private void fillFields(Object o, $RecrashShape shape, boolean live) {
        if (live && (o instanceof ThreadLocal || $RecrashScopedValues.isOne(o))) {
            // Its hash code is its place in the maps of running threads.
            return;
        }
        shape.map(loader, notes);
        byte[] types = shape.types;
        long[] offsets = shape.offsets;
        Class<?>[] checks = shape.checks;
        for (int i = 0; i < types.length; i++) {
            long offset = offsets[i];
            if (offset < 0) {
                plan.skip($RecrashShape.width((char) types[i]));
                continue;
            }
            if (live) {
                pristine.keep(o, offset, types[i]);
            }
            switch (types[i]) {
                case 'L':
                    int id = plan.u4();
                    Object value = objects[id];
                    if (id != 0 && (value == null || live && isVague(id))) {
                        break;
                    }
                    if (value == null || checks[i] == null || checks[i].isInstance(value)) {
                        U.putReference(o, offset, value);
                    } else {
                        mismatch(checks[i], value);
                    }
                    break;
                case 'I':
                case 'F':
                    U.putInt(o, offset, plan.u4());
                    break;
                case 'J':
                case 'D':
                    U.putLong(o, offset, plan.u8());
                    break;
                case 'Z':
                    U.putBoolean(o, offset, plan.u1() != 0);
                    break;
                case 'B':
                    U.putByte(o, offset, (byte) plan.u1());
                    break;
                default:
                    U.putShort(o, offset, (short) plan.u2());
                    break;
            }
        }
    }

    private void mismatch(Class<?> wanted, Object value) {
        notes.add("a captured " + value.getClass().getName() + " does not fit where a " + wanted.getName()
                + " belongs; left out");
    }

    void keepLocal(ThreadLocal<?> local) {
        pristine.keepLocal(local);
    }

    void keepScopedValues() {
        pristine.keep(Thread.currentThread(), $RecrashScopedValues.BINDINGS, (byte) 'L');
    }

    /** Sets a field, given as in the manifest; {@code base} is the object, or the class of a static field. */
    void set(Object base, Field field, int type, long bits) {
        boolean isStatic = java.lang.reflect.Modifier.isStatic(field.getModifiers());
        long offset = isStatic ? U.staticFieldOffset(field) : U.objectFieldOffset(field);
        if (isStatic && type == 'L' && bits != 0 && isVague((int) bits)) {
            return;
        }
        set(isStatic ? U.staticFieldBase(field) : base, offset, field.getType(), type, bits);
    }

    /** Sets an element, if the array has one of that index. */
    void setElement(Object array, int index, int type, long bits) {
        if (array != null && array.getClass().isArray() && index >= 0 && index < Array.getLength(array)) {
            long offset = $RecrashArrays.base(array.getClass()) + (long) index * U.arrayIndexScale(array.getClass());
            set(array, offset, array.getClass().getComponentType(), type, bits);
        }
    }

    private void set(Object target, long offset, Class<?> declared, int type, long bits) {
        pristine.keep(target, offset, $RecrashFieldType.typeOf(declared));
        switch ($RecrashFieldType.typeOf(declared)) {
            case 'L':
                Object value = type == 'L' ? objects[(int) bits] : null;
                if (bits != 0 && value == null) {
                    return;
                }
                if (value == null || declared.isInstance(value)) {
                    U.putReferenceVolatile(target, offset, value);
                } else {
                    mismatch(declared, value);
                }
                return;
            case 'I':
            case 'F':
                U.putIntVolatile(target, offset, (int) bits);
                return;
            case 'J':
            case 'D':
                U.putLongVolatile(target, offset, bits);
                return;
            case 'Z':
                U.putBooleanVolatile(target, offset, bits != 0);
                return;
            case 'B':
                U.putByteVolatile(target, offset, (byte) bits);
                return;
            default:
                U.putShortVolatile(target, offset, (short) bits);
        }
    }

    private void skipRoots() {
        int count = plan.u2();
        plan.skip(9L * count);
    }

    private Object[] roots() {
        Object[] roots = new Object[plan.u2()];
        for (int i = 0; i < roots.length; i++) {
            char type = (char) plan.u1();
            long bits = plan.u8();
            if (type != 'L') {
                roots[i] = $RecrashBoxes.box(type, bits);
                continue;
            }
            roots[i] = objects[(int) bits];
            if (bits != 0 && roots[i] == null && !isVague((int) bits)) {
                plan.at = starts[(int) bits] + 1;
                $RecrashShape shape = shapes[plan.u4()];
                throw new IllegalStateException((i == 0 ? "the receiver" : "argument " + i) + " cannot be restored: "
                        + (shape.problem == null ? "an object of class " + shape.name : shape.problem));
            }
        }
        return roots;
    }
}
