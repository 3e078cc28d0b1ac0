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

    private static final Unsafe U = $RecrashMemory.U;

    /** In the order of their values below. */
    private final $RecrashIdentities objects = new $RecrashIdentities();
    private Object[] references = new Object[8];
    private long[] bits = new long[8];
    private int referenceCount;
    private int bitCount;
    /** Elements of arrays. */
    private int elements;
    private boolean full;

    /** So many values are kept. */
    int size() {
        return referenceCount + bitCount + elements;
    }

    void add(Object o) {
        if (o != null && !full && $RecrashForm.of(o.getClass()).kind != $RecrashForm.FIXED && objects.add(o)
                && objects.count() % INTERVAL == 0) {
            full = objects.count() >= MOST_OBJECTS || !hasMemory(INTERVAL * 64L);
        }
    }

    /**
     * Keeps what is in the objects that were added, and in those they refer to.
     *
     * @param depth so many references are followed, counting the one to the first objects; 0 for all there are
     * @param used behind the last ones more are followed, of the fields named here; null for none
     */
    void keep(int depth, String used) {
        int done = 0;
        for (int level = 1; done < objects.count(); level++) {
            for (int end = objects.count(); done < end; done++) {
                Object o = objects.get(done);
                $RecrashForm form = $RecrashForm.of(o.getClass());
                keep(o, form);
                if (depth == 0 || level < depth) {
                    follow(o, form, form.ways);
                } else if (level == depth && used != null && form.kind == $RecrashForm.INSTANCE) {
                    follow(o, form, form.waysAmong(used));
                }
            }
        }
    }

    private void keep(Object o, $RecrashForm form) {
        switch (form.kind) {
            case $RecrashForm.OBJECTS:
                push(hasRoom(((Object[]) o).length) ? ((Object[]) o).clone() : null);
                break;
            case $RecrashForm.PRIMITIVES:
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
        if (length > MOST_VALUES - elements || length > LONG_ARRAY && !hasMemory(8L * length)) {
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

    private void follow(Object o, $RecrashForm form, long[] ways) {
        if (form.kind == $RecrashForm.OBJECTS) {
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

    private static long bits(Object o, byte type, long offset) {
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

    /** Tells what is different now, and all of the objects that frames further inside told of. */
    void tell($RecrashChanges changes) {
        int reference = 0;
        int bit = 0;
        for (int i = 0; i < objects.count(); i++) {
            Object o = objects.get(i);
            boolean all = changes.toldOf(o);
            $RecrashForm form = $RecrashForm.of(o.getClass());
            if (form.kind != $RecrashForm.INSTANCE) {
                tellElements(o, references[reference++], all, changes);
                continue;
            }
            for (int f = 0; f < form.types.length; f++) {
                byte type = form.types[f];
                Object old = null;
                long oldBits = 0;
                boolean differs;
                if (type == 'L') {
                    old = references[reference++];
                    differs = old != U.getReference(o, form.offsets[f]);
                } else {
                    oldBits = bits[bit++];
                    differs = oldBits != bits(o, type, form.offsets[f]);
                }
                Field field = all || differs ? form.field(f) : null;
                if (field != null) {
                    changes.field(o, field, old, oldBits);
                }
            }
        }
    }

    private static void tellElements(Object array, Object copy, boolean all, $RecrashChanges changes) {
        if (copy == null) {
            return;
        }
        if (copy instanceof Object[]) {
            Object[] now = (Object[]) array;
            Object[] old = (Object[]) copy;
            for (int i = 0; i < old.length; i++) {
                if (all || old[i] != now[i]) {
                    changes.element(array, i, old[i], 0);
                }
            }
            return;
        }
        Class<?> component = array.getClass().getComponentType();
        byte type = $RecrashLayout.typeOf(component);
        int shift = $RecrashLayout.shiftOf(component);
        long offset = $RecrashArrays.base(array.getClass());
        for (int i = 0, length = Array.getLength(copy); i < length; i++, offset += 1L << shift) {
            long old = bits(copy, type, offset);
            if (all || old != bits(array, type, offset)) {
                changes.element(array, i, null, old);
            }
        }
    }
}
