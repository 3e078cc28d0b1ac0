package java.lang;

import java.nio.charset.StandardCharsets;
import jdk.internal.misc.Unsafe;

/** A position in a restore plan; crates/wire/src/plan.rs describes the layout. */
final class $RecrashPlan {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long BASE = $RecrashArrays.base(byte[].class);
    private static final long CHARS = $RecrashArrays.base(char[].class);

    final byte[] bytes;
    int at;

    $RecrashPlan(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The plan was checked when it was made; this keeps a damaged one from reaching memory outside the array. */
    private int take(int count) {
        int start = at;
        if (count < 0 || count > bytes.length - start) {
            throw new IllegalStateException("the restore plan ends in the middle of a record");
        }
        at = start + count;
        return start;
    }

    void skip(long count) {
        take(count > Integer.MAX_VALUE ? -1 : (int) count);
    }

    int u1() {
        return bytes[take(1)] & 0xff;
    }

    int u2() {
        return U.getShortUnaligned(bytes, BASE + take(2), false) & 0xffff;
    }

    int u4() {
        return U.getIntUnaligned(bytes, BASE + take(4), false);
    }

    long u8() {
        return U.getLongUnaligned(bytes, BASE + take(8), false);
    }

    /** Fills a primitive array of {@code count} bytes. */
    void raw(Object array, long base, int count) {
        U.copyMemory(bytes, BASE + take(count), array, base, count);
    }

    String text() {
        int length = u2();
        return new String(bytes, take(length), length, StandardCharsets.UTF_8);
    }

    void skipText() {
        skip(u2());
    }

    /** A string object's record: coder, length, bytes. */
    String string() {
        int coder = u1();
        int length = u4();
        int start = take(length);
        String made;
        if ((coder & 1) == 0) {
            made = new String(bytes, 0, start, length);
        } else {
            char[] units = new char[length >> 1];
            U.copyMemory(bytes, BASE + start, units, CHARS, (long) units.length << 1);
            made = new String(units);
        }
        return coder > 1 ? made.intern() : made;
    }
}
