package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;

/** What was different when frames were entered: places in objects, and the values they had. */
final class $RecrashChanges {
    private static final int FIRST = 64;

    /** Null for static fields. */
    private Object[] objects = new Object[FIRST];
    /** A {@link Field}; null for elements of arrays. */
    private Field[] fields = new Field[FIRST];
    private int[] indexes = new int[FIRST];
    private Object[] references = new Object[FIRST];
    private long[] bits = new long[FIRST];
    private int count;
    /** Where the changes of each frame end. */
    private int[] ends = new int[FIRST];
    private int frames;

    /** The changes of the frame before are complete. */
    void endFrame() {
        if (frames == ends.length) {
            ends = Arrays.copyOf(ends, frames * 2);
        }
        ends[frames++] = count;
    }

    /** The field had this value: {@code bits} where it is primitive (floating point as raw bits), else {@code reference}. */
    void field(Object object, Field field, Object reference, long bits) {
        add(Modifier.isStatic(field.getModifiers()) ? null : object, field, 0, reference, bits);
    }

    void element(Object array, int index, Object reference, long bits) {
        add(array, null, index, reference, bits);
    }

    private void add(Object object, Field field, int index, Object reference, long old) {
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
            if (references[i] != null && (objects[i] == null || walker.find(objects[i]) != 0)) {
                walker.root(references[i]);
            }
        }
        return walker.count() != before;
    }

    /** Frame by frame: the changes of objects that were reached. */
    void write($RecrashBytes out, $RecrashWalker walker) {
        int from = 0;
        for (int frame = 0; frame < frames; frame++) {
            int reached = 0;
            for (int i = from; i < ends[frame]; i++) {
                reached += isReached(i, walker) ? 1 : 0;
            }
            out.number(reached);
            for (int i = from; i < ends[frame]; i++) {
                if (isReached(i, walker)) {
                    write(out, walker, i);
                }
            }
            from = ends[frame];
        }
    }

    private boolean isReached(int i, $RecrashWalker walker) {
        return objects[i] == null || walker.find(objects[i]) != 0;
    }

    private void write($RecrashBytes out, $RecrashWalker walker, int i) {
        Object object = objects[i];
        out.number(object == null ? 0 : walker.find(object));
        if (fields[i] == null) {
            out.text(object.getClass().getName());
            out.text("[" + indexes[i] + "]");
            out.text(object.getClass().getComponentType().descriptorString());
        } else {
            out.text(fields[i].getDeclaringClass().getName());
            out.text(fields[i].getName());
            out.text(fields[i].getType().descriptorString());
        }
        out.number(references[i] == null ? 0 : walker.find(references[i]));
        out.number(bits[i]);
    }
}
