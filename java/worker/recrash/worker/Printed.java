package recrash.worker;

import java.io.OutputStream;
import java.nio.charset.Charset;

/** Keeps the last bytes that a candidate printed. */
final class Printed extends OutputStream {
    private final byte[] ring = new byte[4096];
    private long count;

    @Override
    public synchronized void write(int b) {
        ring[(int) (count++ % ring.length)] = (byte) b;
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int length) {
        for (int i = Math.max(0, length - ring.length); i < length; i++) {
            write(bytes[from + i]);
        }
    }

    synchronized void clear() {
        count = 0;
    }

    synchronized String tail() {
        int length = (int) Math.min(count, ring.length);
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = ring[(int) ((count - length + i) % ring.length)];
        }
        return new String(bytes, Charset.defaultCharset());
    }
}
