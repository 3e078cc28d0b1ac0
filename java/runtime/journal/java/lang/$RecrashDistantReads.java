package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Reads of fields that the code of a class could not reach, by the numbers that the agent knows them by. Woven code asks on entry; a
 * null object, or a field that is not there, has the default value.
 */
public final class $RecrashDistantReads {
    private static final Unsafe U = Unsafe.getUnsafe();

    private $RecrashDistantReads() {}

    /** Called by the agent: the class is ready before any woven code uses it. */
    static void prepare() {
        reference(null, 0);
    }

    @ForceInline
    @Hidden
    public static Object reference(Object o, int place) {
        int offset = $RecrashOffsets.of(o, place);
        return offset > 0 ? U.getReference(o, offset) : null;
    }

    @ForceInline
    @Hidden
    public static boolean getBoolean(Object o, int place) {
        int offset = $RecrashOffsets.of(o, place);
        return offset > 0 && U.getBoolean(o, offset);
    }

    @ForceInline
    @Hidden
    public static byte getByte(Object o, int place) {
        int offset = $RecrashOffsets.of(o, place);
        return offset > 0 ? U.getByte(o, offset) : 0;
    }

    @ForceInline
    @Hidden
    public static char getChar(Object o, int place) {
        int offset = $RecrashOffsets.of(o, place);
        return offset > 0 ? U.getChar(o, offset) : 0;
    }

    @ForceInline
    @Hidden
    public static short getShort(Object o, int place) {
        int offset = $RecrashOffsets.of(o, place);
        return offset > 0 ? U.getShort(o, offset) : 0;
    }

    @ForceInline
    @Hidden
    public static int getInt(Object o, int place) {
        int offset = $RecrashOffsets.of(o, place);
        return offset > 0 ? U.getInt(o, offset) : 0;
    }

    @ForceInline
    @Hidden
    public static long getLong(Object o, int place) {
        int offset = $RecrashOffsets.of(o, place);
        return offset > 0 ? U.getLong(o, offset) : 0;
    }

    @ForceInline
    @Hidden
    public static float getFloat(Object o, int place) {
        int offset = $RecrashOffsets.of(o, place);
        return offset > 0 ? U.getFloat(o, offset) : 0;
    }

    @ForceInline
    @Hidden
    public static double getDouble(Object o, int place) {
        int offset = $RecrashOffsets.of(o, place);
        return offset > 0 ? U.getDouble(o, offset) : 0;
    }
}
