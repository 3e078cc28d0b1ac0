package java.lang;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import jdk.internal.misc.Unsafe;

/**
 * What was different when frames were entered: places in objects, and the values they had. Of several values of one place
 * in one frame the last one counts.
 */
final class $RecrashChanges {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final int FIRST = 64;
    /** Of all frames together; further ones are left out. */
    private static final int MOST = 100_000;

    /** Null for static fields. */
    private Object[] objects = new Object[FIRST];
    /** A {@link Field}; the names of a static field that is known by them only; null for elements of arrays. */
    private Object[] fields = new Object[FIRST];
    /** Of an array's element; of a range of elements the complement of the first. */
    private int[] indexes = new int[FIRST];
    /** The value; of a range a copy of the elements. */
    private Object[] references = new Object[FIRST];
    private long[] bits = new long[FIRST];
    private int count;
    /** Where the changes of each frame end. */
    private int[] ends = new int[FIRST];
    private int frames;
    private boolean cut;
    /** The objects that frames before the last told of. */
    private final $RecrashIdentities changed = new $RecrashIdentities();
    private int counted;
    private final $RecrashFieldNumbers places = new $RecrashFieldNumbers();
    private final $RecrashStaleTypes late = new $RecrashStaleTypes(false);
    /** By id: the arrays of late objects; null until a journal's array is asked for. */
    private boolean[] lateArrays;
    /** Journals that told something, and how far back. */
    private Object[] told = new Object[2];
    private long[] reached = new long[2];

    /** Whether a frame before this one told of a change in the object: its own values then count, too. */
    boolean toldOf(Object object) {
        for (int end = frames == 0 ? 0 : ends[frames - 1]; counted < end; counted++) {
            if (objects[counted] != null) {
                changed.add(objects[counted]);
            }
        }
        return changed.contains(object);
    }

    /** What was left out, in the user's words; null when nothing was. */
    String limit() {
        return cut ? "the budget of " + MOST + " changes since the frames were entered was reached" : null;
    }

    /** The changes of the frame before are complete. */
    void endFrame() {
        if (frames == ends.length) {
            ends = Arrays.copyOf(ends, frames * 2);
        }
        ends[frames++] = count;
    }

    /** How far back a journal has told everything, at first {@code next}; from now on that is {@code mark}. */
    long reached(Object journal, long next, long mark) {
        int i = 0;
        while (i < told.length && told[i] != null && told[i] != journal) {
            i++;
        }
        if (i == told.length) {
            told = Arrays.copyOf(told, i * 2);
            reached = Arrays.copyOf(reached, i * 2);
        }
        long before = told[i] == null ? next : reached[i];
        told[i] = journal;
        reached[i] = Math.min(before, mark);
        return before;
    }

    /** A journal cannot tell more. */
    void lost(Object journal) {
        reached(journal, 0, Long.MIN_VALUE);
    }

    /** The field had this value: {@code bits} where it is primitive (floating point as raw bits), else {@code reference}. */
    void field(Object object, Field field, Object reference, long bits) {
        add(Modifier.isStatic(field.getModifiers()) ? null : object, field, 0, reference, bits);
    }

    /** The same for an instance field that {@link $RecrashFieldNumbers} knows, from a journal. */
    void field(Object object, int place, Object reference, long bits) {
        Field field = late.is(object.getClass()) ? null : places.of(object, place);
        if (field != null) {
            add(object, field, 0, reference, bits);
        }
    }

    void staticField(int place, Object reference, long bits) {
        String[] names = places.names(place);
        if (names != null && !$RecrashAgent.isLateStatic(place)) {
            add(null, names, 0, reference, bits);
        }
    }

    void element(Object array, int index, Object reference, long bits) {
        add(array, null, index, reference, bits);
    }

    /** The elements from {@code first} on were those of {@code copy}. */
    void range(Object array, int first, Object copy) {
        add(array, null, ~first, copy, 0);
    }

    private void add(Object object, Object field, int index, Object reference, long old) {
        if (count == MOST) {
            cut = true;
            return;
        }
        if (count == objects.length) {
            int size = count * 2;
            objects = Arrays.copyOf(objects, size);
            fields = Arrays.copyOf(fields, size);
            indexes = Arrays.copyOf(indexes, size);
            references = Arrays.copyOf(references, size);
            bits = Arrays.copyOf(bits, size);
        }
        objects[count] = object;
        fields[count] = field;
        indexes[count] = index;
        references[count] = reference;
        bits[count++] = old;
    }

    /** Makes roots of what reached objects referred to; false when all of that is reached already. */
    boolean reach($RecrashWalker walker) {
        int before = walker.count();
        for (int i = 0; i < count; i++) {
            if (references[i] == null || !isReached(i, walker)) {
                continue;
            }
            if (indexes[i] >= 0) {
                walker.formerly(objects[i], references[i]);
            } else if (references[i] instanceof Object[]) {
                for (Object element : (Object[]) references[i]) {
                    walker.formerly(objects[i], element);
                }
            }
        }
        return walker.count() != before;
    }

    /** Frame by frame: the changes of objects that were reached. */
    void write($RecrashBytes out, $RecrashWalker walker) {
        // Where no frame before this one was different, a value that is still there says nothing.
        $RecrashPlaceSet before = new $RecrashPlaceSet();
        int from = 0;
        out.number(frames);
        for (int frame = 0; frame < frames; frame++) {
            $RecrashPlaceSet here = new $RecrashPlaceSet();
            $RecrashBytes changes = new $RecrashBytes();
            int written = 0;
            for (int i = ends[frame] - 1; i >= from; i--) {
                if (isReached(i, walker)) {
                    written += write(i, here, before, changes, walker);
                }
            }
            out.number(written);
            out.append(changes);
            before.addAll(here);
            from = ends[frame];
        }
    }

    private boolean isReached(int i, $RecrashWalker walker) {
        return objects[i] == null || walker.find(objects[i]) != 0;
    }

    /** How many places were written: none when a later change says it better. */
    private int write(int i, $RecrashPlaceSet here, $RecrashPlaceSet before, $RecrashBytes out, $RecrashWalker walker) {
        Object object = objects[i];
        if (object == null) {
            return writeStatic(i, here, out, walker);
        }
        int id = walker.find(object);
        if (fields[i] != null) {
            Field field = (Field) fields[i];
            int offset = (int) U.objectFieldOffset(field);
            if (!here.add(id, offset) || isLeftOut(field)
                    || !before.contains(id, offset) && isStill(object, offset, field.getType(), references[i], bits[i])) {
                return 0;
            }
            write(id, names(field), references[i], bits[i], out, walker);
            return 1;
        }
        if (isLateArray(id, walker)) {
            return 0;
        }
        if (indexes[i] >= 0) {
            return here.add(id, indexes[i])
                    ? writeElement(object, id, indexes[i], references[i], bits[i], out, walker) : 0;
        }
        int written = 0;
        int first = ~indexes[i];
        for (int n = Array.getLength(references[i]) - 1; n >= 0; n--) {
            boolean told = before.contains(id, first + n);
            if (here.add(id, first + n) && (told || differ(references[i], n, object, first + n))) {
                Object reference = references[i] instanceof Object[] ? ((Object[]) references[i])[n] : null;
                long old = references[i] instanceof Object[] ? 0 : bitsOf(references[i], n);
                written += writeElement(object, id, first + n, reference, old, out, walker);
            }
        }
        return written;
    }

    /** Only journals give way; where none has told, nobody looks. */
    private boolean isLateArray(int id, $RecrashWalker walker) {
        if (told[0] == null) {
            return false;
        }
        if (lateArrays == null) {
            lateArrays = walker.arraysOf(new $RecrashStaleTypes(true));
        }
        return lateArrays[id];
    }

    /** Whether a field has that value at the failure. */
    private static boolean isStill(Object object, int offset, Class<?> type, Object reference, long old) {
        switch ($RecrashFieldType.typeOf(type)) {
            case 'L':
                return U.getReference(object, offset) == reference;
            case 'J':
            case 'D':
                return U.getLong(object, offset) == old;
            case 'I':
            case 'F':
                return U.getInt(object, offset) == (int) old;
            case 'S':
            case 'C':
                return U.getShort(object, offset) == (short) old;
            default:
                return U.getByte(object, offset) == (byte) old;
        }
    }

    private static boolean isLeftOut(Field field) {
        Class<?> type = field.getDeclaringClass();
        return $RecrashOpaque.skips(type, field.getName()) || $RecrashOpaque.reason(type) != 0;
    }

    private static int writeElement(
            Object array, int id, int index, Object reference, long old, $RecrashBytes out, $RecrashWalker walker) {
        Class<?> type = array.getClass();
        String[] names = {type.getName(), "[" + index + "]", type.getComponentType().descriptorString()};
        write(id, names, reference, old, out, walker);
        return 1;
    }

    private int writeStatic(int i, $RecrashPlaceSet here, $RecrashBytes out, $RecrashWalker walker) {
        String[] names = fields[i] instanceof Field ? names((Field) fields[i]) : (String[]) fields[i];
        if (!here.add(names[0].concat(".").concat(names[1]))) {
            return 0;
        }
        write(0, names, references[i], bits[i], out, walker);
        return 1;
    }

    private static String[] names(Field field) {
        return new String[] {
            field.getDeclaringClass().getName(), field.getName(), field.getType().descriptorString()
        };
    }

    private static void write(
            int id, String[] names, Object reference, long old, $RecrashBytes out, $RecrashWalker walker) {
        int target = reference == null ? 0 : walker.reached(reference);
        $RecrashReport.change(out, id, names[0], names[1], names[2], target, old);
    }

    private static boolean differ(Object copy, int n, Object array, int index) {
        if (copy instanceof Object[]) {
            return ((Object[]) copy)[n] != ((Object[]) array)[index];
        }
        return bitsOf(copy, n) != bitsOf(array, index);
    }

    /** Of an element of a primitive array. */
    private static long bitsOf(Object array, int index) {
        switch ($RecrashFieldType.typeOf(array.getClass().getComponentType())) {
            case 'F':
                return Float.floatToRawIntBits(((float[]) array)[index]);
            case 'D':
                return Double.doubleToRawLongBits(((double[]) array)[index]);
            case 'Z':
                return ((boolean[]) array)[index] ? 1 : 0;
            case 'C':
                return ((char[]) array)[index];
            default:
                return Array.getLong(array, index);
        }
    }
}
