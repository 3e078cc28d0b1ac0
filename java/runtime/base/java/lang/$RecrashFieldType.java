package java.lang;

/** The types of fields and elements as the JVM tells them apart: by the first character of the descriptor. */
final class $RecrashFieldType {
    private $RecrashFieldType() {}

    /** The first character of the descriptor, with L for arrays too. */
    static byte typeOf(Class<?> type) {
        if (!type.isPrimitive()) {
            return 'L';
        }
        return (byte) type.descriptorString().charAt(0);
    }

    /** The log2 of the size of a value. */
    static int shiftOf(Class<?> primitive) {
        if (primitive == boolean.class || primitive == byte.class) {
            return 0;
        }
        if (primitive == char.class || primitive == short.class) {
            return 1;
        }
        return primitive == long.class || primitive == double.class ? 3 : 2;
    }
}
