package java.lang;

/** Wrapper objects: which of them are the cached ones, and how values travel as 64 bits. */
final class $RecrashBoxes {
    private $RecrashBoxes() {}

    /** Whether {@code valueOf} would give this very object. */
    static boolean isCached(Object box) {
        if (box instanceof Integer) {
            int v = (Integer) box;
            return v >= -128 && Integer.valueOf(v) == box;
        }
        if (box instanceof Boolean) {
            return box == Boolean.TRUE || box == Boolean.FALSE;
        }
        if (box instanceof Long) {
            long v = (Long) box;
            return v >= -128 && v <= 127 && Long.valueOf(v) == box;
        }
        if (box instanceof Character) {
            char v = (Character) box;
            return v <= 127 && Character.valueOf(v) == box;
        }
        if (box instanceof Byte) {
            return Byte.valueOf((Byte) box) == box;
        }
        short v = (Short) box;
        return v >= -128 && v <= 127 && Short.valueOf(v) == box;
    }

    static long bits(Object box) {
        if (box instanceof Boolean) {
            return (Boolean) box ? 1 : 0;
        }
        if (box instanceof Character) {
            return (Character) box;
        }
        return ((Number) box).longValue();
    }

    /** The wrapper of a value; {@code type} is the first character of the primitive's descriptor. */
    static Object box(char type, long bits) {
        switch (type) {
            case 'Z':
                return Boolean.valueOf(bits != 0);
            case 'B':
                return Byte.valueOf((byte) bits);
            case 'C':
                return Character.valueOf((char) bits);
            case 'S':
                return Short.valueOf((short) bits);
            case 'I':
                return Integer.valueOf((int) bits);
            case 'J':
                return Long.valueOf(bits);
            case 'F':
                return Float.valueOf(Float.intBitsToFloat((int) bits));
            case 'D':
                return Double.valueOf(Double.longBitsToDouble(bits));
            default:
                throw new IllegalStateException("the restore plan has a value of unknown type " + (int) type);
        }
    }
}
