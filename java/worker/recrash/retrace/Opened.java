package recrash.retrace;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A class of the driver whose static initialiser does not run by itself, because it is interpreted, and whose fields can be set. */
final class Opened {
    /** What the static initialiser is called then; as long as its name. */
    static final String INITIALIZER = "$clinit$";

    private static final byte[] NAME = "<clinit>".getBytes(StandardCharsets.UTF_8);
    private static final int FINAL = 0x10;
    private static final int ENUM = 0x4000;
    private static final int INTERFACE = 0x200;

    private Opened() {}

    /** Enums and interfaces stay as they are: the JVM makes no constants of an enum for others, and fields of interfaces are final. */
    static byte[] of(byte[] bytes) throws IOException {
        byte[] changed = bytes.clone();
        Counting in = new Counting(changed);
        in.skip(8);
        int count = in.data.readUnsignedShort();
        int name = -1;
        for (int i = 1; i < count; i++) {
            int tag = in.data.readUnsignedByte();
            switch (tag) {
                case 1:
                    int length = in.data.readUnsignedShort();
                    int at = in.at();
                    if (length == NAME.length && matches(changed, at)) {
                        name = at;
                    }
                    in.skip(length);
                    break;
                case 5:
                case 6:
                    in.skip(8);
                    i++;
                    break;
                case 7:
                case 8:
                case 16:
                case 19:
                case 20:
                    in.skip(2);
                    break;
                case 15:
                    in.skip(3);
                    break;
                default:
                    in.skip(4);
                    break;
            }
        }
        int access = in.data.readUnsignedShort();
        if ((access & (ENUM | INTERFACE)) != 0) {
            return bytes;
        }
        in.skip(4);
        in.skip(2 * in.data.readUnsignedShort());
        for (int fields = in.data.readUnsignedShort(); fields > 0; fields--) {
            changed[in.at() + 1] &= (byte) ~FINAL;
            in.skip(6);
            for (int attributes = in.data.readUnsignedShort(); attributes > 0; attributes--) {
                in.skip(2);
                in.skip(in.data.readInt());
            }
        }
        if (name >= 0) {
            byte[] other = INITIALIZER.getBytes(StandardCharsets.UTF_8);
            System.arraycopy(other, 0, changed, name, other.length);
        }
        return changed;
    }

    private static boolean matches(byte[] bytes, int at) {
        for (int i = 0; i < NAME.length; i++) {
            if (bytes[at + i] != NAME[i]) {
                return false;
            }
        }
        return true;
    }

    /** Knows where it is. */
    private static final class Counting {
        final DataInputStream data;
        private final ByteArrayInputStream bytes;
        private final int length;

        Counting(byte[] all) {
            bytes = new ByteArrayInputStream(all);
            data = new DataInputStream(bytes);
            length = all.length;
        }

        int at() {
            return length - bytes.available();
        }

        void skip(int count) throws IOException {
            data.skipBytes(count);
        }
    }
}
