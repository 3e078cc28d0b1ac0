package java.lang;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.SortedSet;
import jdk.internal.misc.Unsafe;

/** Objects that have crossed for the first time, until their content is written. What they hold crosses with them. */
final class $RecrashContentQueue {
    private static final Unsafe U = Unsafe.getUnsafe();
    /** The most elements that are kept of one object, and of what crosses at once. */
    private static final int MOST = 1 << 16;
    private static final int MOST_TOGETHER = 1 << 18;
    private static final int MOST_FRAMES = 256;
    private static final Object[] NONE = new Object[0];

    private final $RecrashLogWriter writer;
    private Object[] objects = new Object[8];
    private int[] numbers = new int[8];
    private $RecrashSide[] sides = new $RecrashSide[8];
    private int next;
    private int count;
    private int kept;

    $RecrashContentQueue($RecrashLogWriter writer) {
        this.writer = writer;
    }

    void add(Object o, int number, $RecrashSide side) {
        if (count == objects.length) {
            objects = Arrays.copyOf(objects, count * 2);
            numbers = Arrays.copyOf(numbers, count * 2);
            sides = Arrays.copyOf(sides, count * 2);
        }
        objects[count] = o;
        numbers[count] = number;
        sides[count++] = side;
    }

    void drain() {
        if (count == 0) {
            return;
        }
        while (next < count) {
            int i = next++;
            Object o = objects[i];
            objects[i] = null;
            write(o, numbers[i], sides[i]);
        }
        next = 0;
        count = 0;
        kept = 0;
        if (objects.length > 1 << 12) {
            objects = new Object[8];
            numbers = new int[8];
            sides = new $RecrashSide[8];
        }
    }

    private void write(Object o, int number, $RecrashSide side) {
        switch (side.form) {
            case $RecrashSide.ELEMENTS:
                elements(number, madeWith(o), snapshot((Collection<?>) o));
                break;
            case $RecrashSide.ARRAY:
                elements(number, NONE, (Object[]) o);
                break;
            case $RecrashSide.PAIRS:
                pairs(number, madeWith(o), (Map<?, ?>) o);
                break;
            case $RecrashSide.CHARACTERS:
                int text = $RecrashLog.text(o.toString());
                if (text >= 0) {
                    begin(number, $RecrashLogTag.CONTENT_CHARACTERS);
                    writer.text(text);
                    writer.end();
                }
                break;
            case $RecrashSide.NUMBERS:
                numbers(number, o);
                break;
            case $RecrashSide.FIELDS:
                fields(number, o, side.fields());
                break;
            case $RecrashSide.THROWABLE:
                throwable(number, (Throwable) o);
                break;
            case $RecrashSide.LAMBDA:
                lambda(number, o);
                break;
            default:
        }
    }

    private void begin(int number, int form) {
        writer.begin($RecrashLogTag.EVENT_CONTENT);
        writer.object(number);
        writer.add(form);
    }

    private long[] resolve(Object[] values, int count) {
        long[] resolved = new long[count];
        for (int i = 0; i < count; i++) {
            resolved[i] = writer.resolve(values[i], false);
        }
        return resolved;
    }

    private void values(Object[] values, long[] resolved) {
        writer.unsigned(resolved.length);
        for (int i = 0; i < resolved.length; i++) {
            writer.value(values[i], resolved[i]);
        }
    }

    private int room(int wanted) {
        int room = Math.min(wanted, Math.min(MOST, Math.max(0, MOST_TOGETHER - kept)));
        kept += room;
        return room;
    }

    /** What its constructor needs besides: a comparator. */
    private static Object[] madeWith(Object o) {
        Object comparator = null;
        if (o instanceof SortedSet) {
            comparator = ((SortedSet<?>) o).comparator();
        } else if (o instanceof SortedMap) {
            comparator = ((SortedMap<?, ?>) o).comparator();
        } else if (o instanceof PriorityQueue) {
            comparator = ((PriorityQueue<?>) o).comparator();
        }
        return comparator == null ? NONE : new Object[] {comparator};
    }

    /** Nothing where another thread changes it. */
    private static Object[] snapshot(Collection<?> all) {
        try {
            return all.toArray();
        } catch (RuntimeException changing) {
            return NONE;
        }
    }

    private void elements(int number, Object[] madeWith, Object[] all) {
        int room = room(all.length);
        long[] with = resolve(madeWith, madeWith.length);
        long[] resolved = resolve(all, room);
        begin(number, $RecrashLogTag.CONTENT_ELEMENTS);
        values(madeWith, with);
        writer.unsigned(all.length);
        values(all, resolved);
        writer.end();
    }

    private void pairs(int number, Object[] madeWith, Map<?, ?> map) {
        int size = map.size();
        int room = room(size);
        Object[] flat = new Object[2 * room];
        int found = 0;
        try {
            Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
            while (found < 2 * room && entries.hasNext()) {
                Map.Entry<?, ?> entry = entries.next();
                flat[found] = entry.getKey();
                flat[found + 1] = $RecrashSecrets.ofKey(flat[found], entry.getValue());
                found += 2;
            }
        } catch (RuntimeException changing) {
            // What was read so far is kept.
        }
        long[] with = resolve(madeWith, madeWith.length);
        long[] resolved = resolve(flat, found);
        begin(number, $RecrashLogTag.CONTENT_PAIRS);
        values(madeWith, with);
        writer.unsigned(size);
        writer.unsigned(found / 2);
        for (int i = 0; i < found; i++) {
            writer.value(flat[i], resolved[i]);
        }
        writer.end();
    }

    private void numbers(int number, Object array) {
        Class<?> type = array.getClass();
        int width = U.arrayIndexScale(type);
        long base = $RecrashArrays.base(type);
        int length = java.lang.reflect.Array.getLength(array);
        if ((long) length * width > 1 << 22) {
            return;
        }
        begin(number, $RecrashLogTag.CONTENT_NUMBERS);
        writer.add(type.getName().charAt(1));
        writer.unsigned(length);
        for (int i = 0; i < length; i++) {
            long at = base + (long) i * width;
            long value = width == 8 ? U.getLong(array, at)
                    : width == 4 ? U.getInt(array, at) : width == 2 ? U.getShort(array, at) : U.getByte(array, at);
            writer.fixed(value, width);
        }
        writer.end();
    }

    private void fields(int number, Object o, Field[] fields) {
        Object[] references = new Object[fields.length];
        long[] values = new long[fields.length];
        int[] names = new int[fields.length];
        for (int i = 0; i < fields.length; i++) {
            long at = U.objectFieldOffset(fields[i]);
            Class<?> type = fields[i].getType();
            names[i] = $RecrashLog.text(fields[i].getName());
            if (!type.isPrimitive()) {
                references[i] = U.getReference(o, at);
                values[i] = writer.resolve(references[i], false);
            } else if (type == long.class || type == double.class) {
                values[i] = U.getLong(o, at);
            } else if (type == int.class || type == float.class) {
                values[i] = U.getInt(o, at);
            } else if (type == short.class) {
                values[i] = U.getShort(o, at);
            } else if (type == char.class) {
                values[i] = U.getChar(o, at);
            } else {
                values[i] = U.getByte(o, at);
            }
        }
        begin(number, $RecrashLogTag.CONTENT_FIELDS);
        writer.unsigned(fields.length);
        for (int i = 0; i < fields.length; i++) {
            writer.unsigned($RecrashSide.of(fields[i].getDeclaringClass()).number());
            writer.text(names[i]);
            if (fields[i].getType().isPrimitive()) {
                writer.primitive(fields[i].getType().descriptorString().charAt(0), values[i]);
            } else {
                writer.value(references[i], values[i]);
            }
        }
        writer.end();
    }

    private static final long MESSAGE = U.objectFieldOffset(Throwable.class, "detailMessage");
    private static final long CAUSE = U.objectFieldOffset(Throwable.class, "cause");

    private void throwable(int number, Throwable t) {
        Object message = U.getReference(t, MESSAGE);
        Object cause = U.getReference(t, CAUSE);
        cause = cause == t ? null : cause;
        long saidMessage = writer.resolve(message, false);
        long saidCause = writer.resolve(cause, false);
        StackTraceElement[] trace = $RecrashAgent.trace(t);
        int count = trace == null ? 0 : Math.min(trace.length, MOST_FRAMES);
        int[] texts = new int[3 * count];
        for (int i = 0; i < count; i++) {
            texts[3 * i] = $RecrashLog.text(trace[i].getClassName());
            texts[3 * i + 1] = $RecrashLog.text(trace[i].getMethodName());
            String file = trace[i].getFileName();
            texts[3 * i + 2] = file == null ? -1 : $RecrashLog.text(file);
        }
        begin(number, $RecrashLogTag.CONTENT_THROWABLE);
        writer.value(message, saidMessage);
        writer.value(cause, saidCause);
        writer.unsigned(count);
        for (int i = 0; i < count; i++) {
            writer.text(texts[3 * i]);
            writer.text(texts[3 * i + 1]);
            writer.add(texts[3 * i + 2] < 0 ? 0 : 1);
            if (texts[3 * i + 2] >= 0) {
                writer.text(texts[3 * i + 2]);
            }
            writer.signed(trace[i].getLineNumber());
        }
        writer.end();
    }

    private void lambda(int number, Object o) {
        $RecrashLambda lambda = $RecrashLambda.of(o.getClass());
        if (lambda == null || lambda.interfaces.length == 0) {
            return;
        }
        int[] texts = {
            $RecrashLog.text(lambda.interfaces[0]),
            $RecrashLog.text(lambda.method),
            $RecrashLog.text(lambda.methodDescriptor),
            $RecrashLog.text(lambda.owner),
            $RecrashLog.text(lambda.name),
            $RecrashLog.text(lambda.descriptor),
        };
        Field[] fields = $RecrashMemory.declaredFields(o.getClass());
        Object[] captured = new Object[fields.length];
        for (int i = 0; i < fields.length; i++) {
            captured[i] = boxed(o, fields[i]);
        }
        long[] resolved = resolve(captured, captured.length);
        begin(number, $RecrashLogTag.CONTENT_LAMBDA);
        for (int i = 0; i < texts.length; i++) {
            writer.text(texts[i]);
        }
        values(captured, resolved);
        writer.end();
    }

    /** What a lambda brings along; primitives in their boxes. */
    private static Object boxed(Object o, Field field) {
        if (java.lang.reflect.Modifier.isStatic(field.getModifiers())) {
            return null;
        }
        long at = U.objectFieldOffset(field);
        Class<?> type = field.getType();
        if (!type.isPrimitive()) {
            return U.getReference(o, at);
        }
        switch (type.descriptorString().charAt(0)) {
            case 'I':
                return U.getInt(o, at);
            case 'J':
                return U.getLong(o, at);
            case 'Z':
                return U.getBoolean(o, at);
            case 'D':
                return U.getDouble(o, at);
            case 'F':
                return U.getFloat(o, at);
            case 'C':
                return U.getChar(o, at);
            case 'B':
                return U.getByte(o, at);
            default:
                return U.getShort(o, at);
        }
    }
}
