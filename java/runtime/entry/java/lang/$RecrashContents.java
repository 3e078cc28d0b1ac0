package java.lang;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.Arrays;
import jdk.internal.misc.Unsafe;

/** What was in some objects: the values of their fields, and copies of arrays. */
final class $RecrashContents {
    /** A copy that meets more objects than that ends there, so that none fills the heap. */
    private static final int MOST_OBJECTS = 1_000_000;
    private static final int MOST_VALUES = 8_000_000;
    /** How often the free memory is looked at, in objects, and in elements of one array. */
    private static final int INTERVAL = 1 << 10;
    private static final int LONG_ARRAY = 1 << 16;
    /** So many references are followed to what is near. */
    private static final int NEAR = 4;

    private static final Unsafe U = $RecrashMemory.U;

    /** In the order of their values below. */
    private final $RecrashIdentities objects;
    private final int limit;
    private final int mostElements;
    /** As many as there is room for at the moment. */
    private int mostObjects;
    private Object[] references = new Object[8];
    private long[] bits = new long[8];
    private int referenceCount;
    private int bitCount;
    /** Elements of arrays. */
    private int elements;
    private boolean full;
    /** What is in so many of the objects is kept. */
    private int done;

    $RecrashContents() {
        objects = new $RecrashIdentities();
        limit = MOST_OBJECTS;
        mostObjects = limit;
        mostElements = MOST_VALUES;
    }

    /** Small enough to be made while the program goes on: nobody is asked for an identity hash. */
    $RecrashContents(int limit, int mostElements) {
        objects = new $RecrashIdentities(limit);
        this.limit = limit;
        mostObjects = limit;
        this.mostElements = mostElements;
    }

    /** For so many objects more, as far as the limit allows. */
    void makeRoom(int more) {
        mostObjects = Math.min(objects.count() + more, limit);
        full = objects.count() >= mostObjects;
    }

    /** What is in the same objects now. */
    $RecrashContents again() {
        $RecrashContents now = new $RecrashContents(limit, mostElements);
        for (int i = 0; i < done; i++) {
            now.objects.add(objects.get(i));
            now.keep(objects.get(i), $RecrashMutableFields.of(objects.get(i).getClass()));
        }
        now.done = done;
        return now;
    }

    /** So many values are kept. */
    int size() {
        return referenceCount + bitCount + elements;
    }

    void add(Object o) {
        if (o != null && !full && $RecrashMutableFields.of(o.getClass()).kind != $RecrashMutableFields.FIXED && objects.add(o)) {
            full = objects.count() >= mostObjects || objects.count() % INTERVAL == 0 && !hasMemory(INTERVAL * 64L);
        }
    }

    /**
     * Keeps what is in the objects that were added, and in those they refer to.
     *
     * @param depth so many references are followed, counting the one to the first objects; 0 for all there are
     * @param used behind the last ones more are followed, of the fields named here; null for none
     */
    void keep(int depth, String used) {
        for (int level = 1; done < objects.count(); level++) {
            for (int end = objects.count(); done < end; done++) {
                Object o = objects.get(done);
                $RecrashMutableFields form = $RecrashMutableFields.of(o.getClass());
                keep(o, form);
                if (depth == 0 || level < depth) {
                    follow(o, form, form.ways);
                } else if (level == depth && used != null && form.kind == $RecrashMutableFields.INSTANCE) {
                    follow(o, form, form.waysAmong(used));
                }
            }
        }
    }

    /** The same, as far as that is cheap: what they refer to, and in there collections, arrays and what else the JDK has. */
    void keepNear() {
        for (int level = 1; done < objects.count(); level++) {
            for (int end = objects.count(); done < end; done++) {
                Object o = objects.get(done);
                $RecrashMutableFields form = $RecrashMutableFields.of(o.getClass());
                keep(o, form);
                if (level < NEAR) {
                    followNear(o, form, level == 1);
                }
            }
        }
    }

    private void followNear(Object o, $RecrashMutableFields form, boolean all) {
        if (form.kind == $RecrashMutableFields.OBJECTS) {
            // The nodes of a map; what a list holds is another matter.
            Class<?> component = o.getClass().getComponentType();
            if (component != Object.class && component.getClassLoader0() == null) {
                follow(o, form, form.ways);
            }
            return;
        }
        for (long way : form.ways) {
            Object next = U.getReference(o, way);
            if (next != null && (all || next.getClass().isArray() || next.getClass().getClassLoader0() == null)) {
                add(next);
            }
        }
    }

    /** Whether all of it is as it was. */
    boolean isStill() {
        int reference = 0;
        int bit = 0;
        for (int i = 0; i < done; i++) {
            Object o = objects.get(i);
            $RecrashMutableFields form = $RecrashMutableFields.of(o.getClass());
            if (form.kind == $RecrashMutableFields.OBJECTS) {
                Object[] copy = (Object[]) references[reference++];
                for (int e = 0; copy != null && e < copy.length; e++) {
                    if (copy[e] != ((Object[]) o)[e]) {
                        return false;
                    }
                }
                continue;
            }
            if (form.kind == $RecrashMutableFields.PRIMITIVES) {
                // Characters and numbers that were read stay where they are.
                reference++;
                continue;
            }
            for (int f = 0; f < form.types.length; f++) {
                if (form.types[f] == 'L'
                        ? references[reference++] != U.getReference(o, form.offsets[f])
                        : bits[bit++] != bits(o, form.types[f], form.offsets[f])) {
                    return false;
                }
            }
        }
        return true;
    }

    private void keep(Object o, $RecrashMutableFields form) {
        switch (form.kind) {
            case $RecrashMutableFields.OBJECTS:
                push(hasRoom(((Object[]) o).length) ? ((Object[]) o).clone() : null);
                break;
            case $RecrashMutableFields.PRIMITIVES:
                int length = Array.getLength(o);
                if (hasRoom(length)) {
                    Object copy = Array.newInstance(o.getClass().getComponentType(), length);
                    System.arraycopy(o, 0, copy, 0, length);
                    push(copy);
                } else {
                    push(null);
                }
                break;
            default:
                for (int i = 0; i < form.types.length; i++) {
                    if (form.types[i] == 'L') {
                        push(U.getReference(o, form.offsets[i]));
                    } else {
                        push(bits(o, form.types[i], form.offsets[i]));
                    }
                }
        }
    }

    private boolean hasRoom(int length) {
        if (length > mostElements - elements || length > LONG_ARRAY && !hasMemory(8L * length)) {
            return false;
        }
        elements += length;
        return true;
    }

    /** An OutOfMemoryError may end the program by an option of the JVM, even when it is caught: copies stay far from it. */
    private static boolean hasMemory(long bytes) {
        Runtime runtime = Runtime.getRuntime();
        return runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory() > bytes + runtime.maxMemory() / 8;
    }

    private void follow(Object o, $RecrashMutableFields form, long[] ways) {
        if (form.kind == $RecrashMutableFields.OBJECTS) {
            for (Object element : (Object[]) o) {
                add(element);
            }
        } else {
            for (long way : ways) {
                add(U.getReference(o, way));
            }
        }
    }

    private void push(Object value) {
        if (referenceCount == references.length) {
            references = Arrays.copyOf(references, referenceCount * 2);
        }
        references[referenceCount++] = value;
    }

    private void push(long value) {
        if (bitCount == bits.length) {
            bits = Arrays.copyOf(bits, bitCount * 2);
        }
        bits[bitCount++] = value;
    }

    static long bits(Object o, byte type, long offset) {
        switch (type) {
            case 'I':
            case 'F':
                return U.getInt(o, offset);
            case 'J':
            case 'D':
                return U.getLong(o, offset);
            case 'Z':
            case 'B':
                return U.getByte(o, offset);
            case 'C':
                return U.getChar(o, offset);
            default:
                return U.getShort(o, offset);
        }
    }

    /**
     * Tells what is different now, and all of the objects that frames further inside told of.
     *
     * @param before what was told of the same objects, which come first there; then only what is different from that is told
     *     of them, and not what came to its end in between, references to nothing and flags that are set: the frame which
     *     closes something on its way out was given it open. Null for nothing
     */
    void tell($RecrashContents before, $RecrashChanges changes) {
        int reference = 0;
        int bit = 0;
        for (int i = 0; i < done; i++) {
            Object o = objects.get(i);
            $RecrashMutableFields form = $RecrashMutableFields.of(o.getClass());
            boolean known = before != null && i < before.done;
            boolean all = !known && changes.toldOf(o);
            if (form.kind != $RecrashMutableFields.INSTANCE) {
                tellElements(o, known ? before.references[reference] : o, references[reference], all, changes);
                reference++;
                continue;
            }
            for (int f = 0; f < form.types.length; f++) {
                byte type = form.types[f];
                long offset = form.offsets[f];
                if (type == 'L') {
                    Object old = references[reference];
                    if (all || (known
                            ? old != null && old != before.references[reference]
                            : old != U.getReference(o, offset))) {
                        tellField(o, form, f, old, 0, changes);
                    }
                    reference++;
                } else {
                    long old = bits[bit];
                    boolean ends = known && type == 'Z' && old != 0;
                    if (all || !ends && old != (known ? before.bits[bit] : bits(o, type, offset))) {
                        tellField(o, form, f, null, old, changes);
                    }
                    bit++;
                }
            }
        }
    }

    static void tellField(Object o, $RecrashMutableFields form, int number, Object old, long oldBits, $RecrashChanges changes) {
        Field field = form.field(number);
        if (field != null) {
            changes.field(o, field, old, oldBits);
        }
    }

    private static void tellElements(Object array, Object now, Object copy, boolean all, $RecrashChanges changes) {
        if (copy == null || now == null) {
            return;
        }
        if (copy instanceof Object[]) {
            Object[] current = (Object[]) now;
            Object[] old = (Object[]) copy;
            boolean known = now != array;
            for (int i = 0; i < old.length; i++) {
                if (all || old[i] != current[i] && !(known && old[i] == null)) {
                    changes.element(array, i, old[i], 0);
                }
            }
            return;
        }
        Class<?> component = array.getClass().getComponentType();
        byte type = $RecrashFieldType.typeOf(component);
        int shift = $RecrashFieldType.shiftOf(component);
        long offset = $RecrashArrays.base(array.getClass());
        for (int i = 0, length = Array.getLength(copy); i < length; i++, offset += 1L << shift) {
            long old = bits(copy, type, offset);
            if (all || old != bits(now, type, offset)) {
                changes.element(array, i, null, old);
            }
        }
    }
}
