package java.lang;

import java.util.Arrays;
import jdk.internal.misc.Unsafe;

/** Little-endian output that grows by pieces, so that a large heap part never needs one large array. */
final class $RecrashPieces {
    private static final Unsafe U = Unsafe.getUnsafe();
    /** Below what G1 treats as a humongous object, even in the smallest heaps. */
    static final int PIECE = 1 << 18;
    private static final long BASE = $RecrashArrays.base(byte[].class);

    private byte[][] full = new byte[16][];
    private int pieces;
    /** Bytes in the full pieces. */
    private long before;
    private byte[] piece;
    private int at;

    $RecrashPieces(int first) {
        piece = new byte[first];
    }

    long length() {
        return before + at;
    }

    /** Whether {@code count} more bytes fit without a new piece. */
    boolean fits(long count) {
        return count <= piece.length - at;
    }

    /** Makes room for a record of {@code count} bytes; must precede the puts of that record. */
    void reserve(int count) {
        if (count > piece.length - at) {
            before += at;
            close();
            piece = new byte[Math.max(PIECE, count)];
            at = 0;
        }
    }

    void put1(int v) {
        piece[at++] = (byte) v;
    }

    void put2(int v) {
        U.putShortUnaligned(piece, BASE + at, (short) v, false);
        at += 2;
    }

    void put4(int v) {
        U.putIntUnaligned(piece, BASE + at, v, false);
        at += 4;
    }

    void put8(long v) {
        U.putLongUnaligned(piece, BASE + at, v, false);
        at += 8;
    }

    /** Copies {@code count} bytes of a primitive array, from offset {@code from} in it. */
    void putRaw(Object array, long from, long count) {
        U.copyMemory(array, from, piece, BASE + at, count);
        at += (int) count;
    }

    void putBytes(byte[] bytes, int count) {
        System.arraycopy(bytes, 0, piece, at, count);
        at += count;
    }

    /** Bytes that {@link #putText} will need at most. */
    static int textBytes(String text) {
        return 2 + 3 * text.length();
    }

    /** UTF-8 behind a two-byte length; what is longer than that allows is cut at a character. */
    void putText(String text) {
        int start = at;
        at += 2;
        for (int i = 0; i < text.length() && at - start - 2 <= 65_535 - 4; i++) {
            int c = text.charAt(i);
            if (Character.isHighSurrogate((char) c) && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                c = Character.toCodePoint((char) c, text.charAt(++i));
            } else if (Character.isSurrogate((char) c)) {
                c = '?';
            }
            putCodePoint(c);
        }
        U.putShortUnaligned(piece, BASE + start, (short) (at - start - 2), false);
    }

    private void putCodePoint(int c) {
        if (c < 0x80) {
            put1(c);
        } else if (c < 0x800) {
            put1(0xc0 | c >> 6);
            put1(0x80 | c & 0x3f);
        } else if (c < 0x10000) {
            put1(0xe0 | c >> 12);
            put1(0x80 | c >> 6 & 0x3f);
            put1(0x80 | c & 0x3f);
        } else {
            put1(0xf0 | c >> 18);
            put1(0x80 | c >> 12 & 0x3f);
            put1(0x80 | c >> 6 & 0x3f);
            put1(0x80 | c & 0x3f);
        }
    }

    /** All pieces, after {@code first} places left free for the caller. */
    byte[][] finish(int first) {
        close();
        byte[][] result = new byte[first + pieces][];
        System.arraycopy(full, 0, result, first, pieces);
        return result;
    }

    private void close() {
        if (at == 0) {
            return;
        }
        if (pieces == full.length) {
            full = Arrays.copyOf(full, pieces * 2);
        }
        full[pieces++] = at == piece.length ? piece : Arrays.copyOf(piece, at);
    }
}
