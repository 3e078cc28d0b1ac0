package java.lang;

import java.util.Arrays;

/** A growing byte array with the numbers of the log. */
class $RecrashLogBytes {
    private byte[] bytes = new byte[256];
    private int length;

    final int length() {
        return length;
    }

    final void clear() {
        length = 0;
        if (bytes.length > 1 << 17) {
            bytes = new byte[256];
        }
    }

    final byte[] finish() {
        return Arrays.copyOf(bytes, length);
    }

    final void add(int value) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, length * 2);
        }
        bytes[length++] = (byte) value;
    }

    final void add(byte[] more) {
        if (length + more.length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length * 2, length + more.length));
        }
        System.arraycopy(more, 0, bytes, length, more.length);
        length += more.length;
    }

    final void unsigned(long value) {
        while ((value & ~0x7fL) != 0) {
            add((int) value | 0x80);
            value >>>= 7;
        }
        add((int) value);
    }

    final void signed(long value) {
        unsigned(value << 1 ^ value >> 63);
    }

    /** The lowest bytes of a number. */
    final void fixed(long value, int width) {
        for (int i = 0; i < width; i++) {
            add((int) (value >> 8 * i));
        }
    }

    /** The first so many. */
    final byte[] first(int count) {
        return Arrays.copyOf(bytes, count);
    }
}
