package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * Where the elements of arrays start. Unsafe's own constants and its method changed from int to long in JDK 25, so code
 * compiled with one JDK cannot name them on the other, and to look for them by reflection asks classes for their hashes,
 * which changes those that the program sees later. So it is tried where elements are found.
 */
final class $RecrashArrays {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    /** Eight bytes, all alike. */
    private static final long MARK = 0x5c5c5c5c5c5c5c5cL;

    private static final int LONGS = find(new long[] {MARK});
    private static final int INTS = find(new int[] {(int) MARK, (int) MARK});
    private static final int SHORTS = find(new short[] {(short) MARK, (short) MARK, (short) MARK, (short) MARK});
    private static final int BYTES = find(new byte[] {0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c, 0x5c});

    private $RecrashArrays() {}

    /** Elements of one width start at one place, whatever they are. */
    static int base(Class<?> array) {
        switch (UNSAFE.arrayIndexScale(array)) {
            case 8:
                return LONGS;
            case 4:
                return INTS;
            case 2:
                return SHORTS;
            default:
                return BYTES;
        }
    }

    private static int find(Object array) {
        for (int offset = 8; offset <= 32; offset += 4) {
            if (UNSAFE.getLongUnaligned(array, offset) == MARK) {
                return offset;
            }
        }
        throw new InternalError();
    }
}
