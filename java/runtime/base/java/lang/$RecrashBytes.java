package java.lang;

import java.nio.charset.StandardCharsets;

/** A growing byte array: big-endian numbers, and strings as length and UTF-8. The agent reads it in the same order. */
final class $RecrashBytes {
    private byte[] bytes = new byte[1 << 12];
    private int length;

    void flag(boolean value) {
        reserve(1);
        bytes[length++] = (byte) (value ? 1 : 0);
    }

    void number(int value) {
        reserve(4);
        bytes[length++] = (byte) (value >> 24);
        bytes[length++] = (byte) (value >> 16);
        bytes[length++] = (byte) (value >> 8);
        bytes[length++] = (byte) value;
    }

    void number(long value) {
        number((int) (value >> 32));
        number((int) value);
    }

    /** Length -1 stands for null. */
    void text(String value) {
        if (value == null) {
            number(-1);
            return;
        }
        byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
        number(encoded.length);
        reserve(encoded.length);
        System.arraycopy(encoded, 0, bytes, length, encoded.length);
        length += encoded.length;
    }

    /** What another one holds. */
    void append($RecrashBytes other) {
        reserve(other.length);
        System.arraycopy(other.bytes, 0, bytes, length, other.length);
        length += other.length;
    }

    byte[] finish() {
        byte[] exact = new byte[length];
        System.arraycopy(bytes, 0, exact, 0, length);
        return exact;
    }

    private void reserve(int more) {
        if (length + more > bytes.length) {
            byte[] larger = new byte[Math.max(bytes.length * 2, length + more)];
            System.arraycopy(bytes, 0, larger, 0, length);
            bytes = larger;
        }
    }
}
