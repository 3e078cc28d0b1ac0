package recrash.retrace;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** The constant pool and the methods of a class file (JVMS 4), as far as an interpreter needs them. */
final class ClassCode {
    private static final int UTF8 = 1;
    private static final int INTEGER = 3;
    private static final int FLOAT = 4;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int METHOD_HANDLE = 15;
    private static final int METHOD_TYPE = 16;

    private final Map<String, MethodCode> methods = new HashMap<>();
    private final int[] tags;
    private final Object[] values;
    private final int[] first;
    private final int[] second;
    /** By bootstrap method: the method handle, then its arguments. */
    private int[][] bootstraps = {};
    final String name;
    final String superclass;
    final int access;

    ClassCode(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        in.skipBytes(8);
        int count = in.readUnsignedShort();
        tags = new int[count];
        values = new Object[count];
        first = new int[count];
        second = new int[count];
        for (int i = 1; i < count; i++) {
            i += constant(in, i);
        }
        access = in.readUnsignedShort();
        name = text(first[in.readUnsignedShort()]);
        int above = in.readUnsignedShort();
        superclass = above == 0 ? null : text(first[above]);
        in.skipBytes(2 * in.readUnsignedShort());
        for (int fields = in.readUnsignedShort(); fields > 0; fields--) {
            in.skipBytes(6);
            skipAttributes(in);
        }
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            method(in);
        }
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            boolean wanted = text(in.readUnsignedShort()).equals("BootstrapMethods");
            int length = in.readInt();
            if (wanted) {
                bootstraps(in);
            } else {
                in.skipBytes(length);
            }
        }
    }

    /** How many numbers of the pool it takes beside its own. */
    private int constant(DataInputStream in, int at) throws IOException {
        int tag = in.readUnsignedByte();
        tags[at] = tag;
        switch (tag) {
            case UTF8:
                values[at] = in.readUTF();
                return 0;
            case INTEGER:
                values[at] = in.readInt();
                return 0;
            case FLOAT:
                values[at] = in.readFloat();
                return 0;
            case LONG:
                values[at] = in.readLong();
                return 1;
            case DOUBLE:
                values[at] = in.readDouble();
                return 1;
            case METHOD_HANDLE:
                first[at] = in.readUnsignedByte();
                second[at] = in.readUnsignedShort();
                return 0;
            case 7:
            case 8:
            case METHOD_TYPE:
            case 19:
            case 20:
                first[at] = in.readUnsignedShort();
                return 0;
            default:
                first[at] = in.readUnsignedShort();
                second[at] = in.readUnsignedShort();
                return 0;
        }
    }

    private static void skipAttributes(DataInputStream in) throws IOException {
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            in.skipBytes(2);
            in.skipBytes(in.readInt());
        }
    }

    private void bootstraps(DataInputStream in) throws IOException {
        bootstraps = new int[in.readUnsignedShort()][];
        for (int i = 0; i < bootstraps.length; i++) {
            int handle = in.readUnsignedShort();
            int[] all = new int[in.readUnsignedShort() + 1];
            all[0] = handle;
            for (int k = 1; k < all.length; k++) {
                all[k] = in.readUnsignedShort();
            }
            bootstraps[i] = all;
        }
    }

    private void method(DataInputStream in) throws IOException {
        int access = in.readUnsignedShort();
        String method = text(in.readUnsignedShort());
        String descriptor = text(in.readUnsignedShort());
        MethodCode code = new MethodCode(this, access, method, descriptor);
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            boolean wanted = text(in.readUnsignedShort()).equals("Code");
            int length = in.readInt();
            if (!wanted) {
                in.skipBytes(length);
                continue;
            }
            code.maxStack = in.readUnsignedShort();
            code.maxLocals = in.readUnsignedShort();
            code.code = new byte[in.readInt()];
            in.readFully(code.code);
            code.handlers = new int[in.readUnsignedShort()][4];
            for (int[] handler : code.handlers) {
                for (int i = 0; i < 4; i++) {
                    handler[i] = in.readUnsignedShort();
                }
            }
            skipAttributes(in);
            code.ready();
        }
        methods.put(method + descriptor, code);
    }

    /** Null where the class declares none. */
    MethodCode method(String name, String descriptor) {
        return methods.get(name + descriptor);
    }

    private String text(int at) {
        return (String) values[at];
    }

    boolean isClass(int at) {
        return tags[at] == 7;
    }

    /** A number or a text that is loaded as a constant; null for anything else. */
    Object loaded(int at) {
        return tags[at] == 8 ? text(first[at]).intern() : values[at];
    }

    /** With slashes; arrays as descriptors. */
    String className(int at) {
        return text(first[at]);
    }

    String owner(int reference) {
        return className(first[reference]);
    }

    String memberName(int reference) {
        return text(first[second[reference]]);
    }

    String memberDescriptor(int reference) {
        return text(second[second[reference]]);
    }

    int[] bootstrap(int dynamic) {
        return bootstraps[first[dynamic]];
    }

    /** The member that a handle is of. */
    int handled(int handle) {
        return second[handle];
    }

    int handleKind(int handle) {
        return first[handle];
    }

    String methodType(int at) {
        return text(first[at]);
    }
}
