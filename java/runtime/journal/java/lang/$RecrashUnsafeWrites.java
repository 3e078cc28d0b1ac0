package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Writes of the JDK's own code past the language, each noted in the journal first. Calls of {@code Unsafe} in classes whose
 * writes are kept lead here instead; the names are the same.
 */
public final class $RecrashUnsafeWrites {
    private $RecrashUnsafeWrites() {}

    @ForceInline
    @Hidden
    public static boolean compareAndSetInt(Unsafe unsafe, Object o, long offset, int expected, int value) {
        $RecrashJournal.rawInt(o, offset);
        return unsafe.compareAndSetInt(o, offset, expected, value);
    }

    @ForceInline
    @Hidden
    public static void putIntRelease(Unsafe unsafe, Object o, long offset, int value) {
        $RecrashJournal.rawInt(o, offset);
        unsafe.putIntRelease(o, offset, value);
    }

    @ForceInline
    @Hidden
    public static void putIntVolatile(Unsafe unsafe, Object o, long offset, int value) {
        $RecrashJournal.rawInt(o, offset);
        unsafe.putIntVolatile(o, offset, value);
    }

    @ForceInline
    @Hidden
    public static int getAndSetInt(Unsafe unsafe, Object o, long offset, int value) {
        $RecrashJournal.rawInt(o, offset);
        return unsafe.getAndSetInt(o, offset, value);
    }

    @ForceInline
    @Hidden
    public static int getAndAddInt(Unsafe unsafe, Object o, long offset, int delta) {
        $RecrashJournal.rawInt(o, offset);
        return unsafe.getAndAddInt(o, offset, delta);
    }

    @ForceInline
    @Hidden
    public static boolean compareAndSetLong(Unsafe unsafe, Object o, long offset, long expected, long value) {
        $RecrashJournal.rawLong(o, offset);
        return unsafe.compareAndSetLong(o, offset, expected, value);
    }

    @ForceInline
    @Hidden
    public static void putLongRelease(Unsafe unsafe, Object o, long offset, long value) {
        $RecrashJournal.rawLong(o, offset);
        unsafe.putLongRelease(o, offset, value);
    }

    @ForceInline
    @Hidden
    public static void putLongVolatile(Unsafe unsafe, Object o, long offset, long value) {
        $RecrashJournal.rawLong(o, offset);
        unsafe.putLongVolatile(o, offset, value);
    }

    @ForceInline
    @Hidden
    public static long getAndSetLong(Unsafe unsafe, Object o, long offset, long value) {
        $RecrashJournal.rawLong(o, offset);
        return unsafe.getAndSetLong(o, offset, value);
    }

    @ForceInline
    @Hidden
    public static long getAndAddLong(Unsafe unsafe, Object o, long offset, long delta) {
        $RecrashJournal.rawLong(o, offset);
        return unsafe.getAndAddLong(o, offset, delta);
    }

    @ForceInline
    @Hidden
    public static boolean compareAndSetReference(Unsafe unsafe, Object o, long offset, Object expected, Object value) {
        $RecrashJournal.rawReference(o, offset);
        return unsafe.compareAndSetReference(o, offset, expected, value);
    }

    @ForceInline
    @Hidden
    public static void putReferenceRelease(Unsafe unsafe, Object o, long offset, Object value) {
        $RecrashJournal.rawReference(o, offset);
        unsafe.putReferenceRelease(o, offset, value);
    }

    @ForceInline
    @Hidden
    public static void putReferenceVolatile(Unsafe unsafe, Object o, long offset, Object value) {
        $RecrashJournal.rawReference(o, offset);
        unsafe.putReferenceVolatile(o, offset, value);
    }

    @ForceInline
    @Hidden
    public static Object getAndSetReference(Unsafe unsafe, Object o, long offset, Object value) {
        $RecrashJournal.rawReference(o, offset);
        return unsafe.getAndSetReference(o, offset, value);
    }
}
