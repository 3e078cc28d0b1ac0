package java.lang;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;

/** How objects of one class are written: their kind, and where their fields are. */
final class $RecrashLayout {
    private static final byte[] NO_TYPES = new byte[0];
    private static final long[] NO_OFFSETS = new long[0];

    final Class<?> type;
    /** The tag that most objects of the class get; the walker decides on exceptions object by object. */
    byte tag = $RecrashTag.INSTANCE;
    byte classKind = $RecrashTag.PLAIN_CLASS;
    /** The reason when the tag is STAND_IN. */
    int reason;
    /** The row in the class table. */
    int index;
    $RecrashLayout above;
    /** Fields the class itself declares, as the class table lists them. */
    Field[] own = new Field[0];
    /** All fields with those of super classes, topmost first: first character of the descriptor, and offset. */
    byte[] types = NO_TYPES;
    long[] offsets = NO_OFFSETS;
    /** Bytes of an instance's fields in the heap part. */
    int bytes;
    /** For arrays: where the elements start, and the log2 of their size. */
    int base;
    int shift;
    $RecrashLambda lambda;
    /** Whether some object of this class may be the value of a static final field of the JDK. */
    boolean maybeWellKnown;
    boolean throwable;
    /** The id of the one record for all objects of the class beyond the budget; 0 until there is one. */
    int cut;

    $RecrashLayout(Class<?> type) {
        this.type = type;
    }

    /** Decides how objects of the class are written. */
    void describe($RecrashClasses classes) {
        if (type.isArray()) {
            classKind = $RecrashTag.ARRAY_CLASS;
            tag = type.getComponentType().isPrimitive() ? $RecrashTag.PRIMITIVE_ARRAY : $RecrashTag.OBJECT_ARRAY;
            base = $RecrashArrays.base(type);
            shift = tag == $RecrashTag.OBJECT_ARRAY ? 2 : $RecrashFieldType.shiftOf(type.getComponentType());
            return;
        }
        if (type == String.class) {
            tag = $RecrashTag.STRING;
            return;
        }
        if (type == Class.class) {
            tag = $RecrashTag.CLASS;
            return;
        }
        if (type == Method.class || type == Constructor.class || type == Field.class) {
            tag = $RecrashTag.MEMBER;
            return;
        }
        if (type == Integer.class || type == Long.class || type == Short.class || type == Byte.class
                || type == Character.class || type == Boolean.class) {
            tag = $RecrashTag.BOXED;
        }
        if (Enum.class.isAssignableFrom(type)) {
            tag = $RecrashTag.ENUM;
            if ($RecrashOpaque.isJdk(type)) {
                return;
            }
        }
        reason = $RecrashOpaque.reason(type);
        if (reason == 0 && type.isHidden()) {
            lambda = $RecrashLambda.of(type);
            if (lambda == null) {
                reason = $RecrashTag.HIDDEN_CLASS;
            } else {
                classKind = $RecrashTag.LAMBDA_CLASS;
            }
        }
        if (reason != 0) {
            classKind = $RecrashTag.OPAQUE_CLASS;
            tag = $RecrashTag.STAND_IN;
            return;
        }
        if (Proxy.isProxyClass(type)) {
            classKind = $RecrashTag.PROXY_CLASS;
        }
        throwable = Throwable.class.isAssignableFrom(type);
        Class<?> parent = type.getSuperclass();
        above = parent == null || parent == Object.class ? null : classes.of(parent);
        addFields();
    }

    /** Only the name is known: for objects beyond the budget. */
    void describeAsCut() {
        if (type.isArray()) {
            classKind = $RecrashTag.ARRAY_CLASS;
        } else {
            classKind = $RecrashTag.OPAQUE_CLASS;
        }
        tag = $RecrashTag.CUT;
    }

    private void addFields() {
        Field[] declared = $RecrashMemory.declaredFields(type);
        Field[] kept = new Field[declared.length];
        int count = 0;
        for (int i = 0; i < declared.length; i++) {
            Field field = declared[i];
            if (!Modifier.isStatic(field.getModifiers()) && !$RecrashOpaque.skips(type, field.getName())) {
                kept[count++] = field;
            }
        }
        own = Arrays.copyOf(kept, count);
        int inherited = 0;
        if (above != null) {
            inherited = above.types.length;
            bytes = above.bytes;
            types = Arrays.copyOf(above.types, inherited + count);
            offsets = Arrays.copyOf(above.offsets, inherited + count);
        } else {
            types = new byte[count];
            offsets = new long[count];
        }
        for (int i = 0; i < count; i++) {
            Class<?> fieldType = own[i].getType();
            types[inherited + i] = $RecrashFieldType.typeOf(fieldType);
            offsets[inherited + i] = $RecrashMemory.U.objectFieldOffset(own[i]);
            bytes += fieldType.isPrimitive() ? 1 << $RecrashFieldType.shiftOf(fieldType) : 4;
        }
    }
}
