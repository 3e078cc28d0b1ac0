package recrash.retrace;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import recrash.wire.Operand;

/** Events as recrash writes them. */
final class Decoder {
    private Decoder() {}

    static List<Event> events(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        Event.Member[] members = new Event.Member[in.readInt()];
        for (int i = 0; i < members.length; i++) {
            members[i] = new Event.Member(text(in), text(in), text(in));
        }
        int count = in.readInt();
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int kind = in.readUnsignedByte();
            Event.Member member = members[in.readInt()];
            boolean inside = in.readBoolean();
            boolean threw = in.readBoolean();
            Object receiver = operand(in);
            Object[] arguments = new Object[in.readInt()];
            for (int k = 0; k < arguments.length; k++) {
                arguments[k] = operand(in);
            }
            Event event = new Event(kind, member, receiver, arguments);
            event.inside = inside;
            event.threw = threw;
            event.result = in.readInt();
            event.value = operand(in);
            events.add(event);
        }
        return events;
    }

    private static String text(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static Object operand(DataInputStream in) throws IOException {
        switch (in.readUnsignedByte()) {
            case Operand.NUMBER:
                return number((char) in.readUnsignedShort(), in.readInt());
            case Operand.LONG_NUMBER:
                return in.readLong();
            case Operand.FLOAT_NUMBER:
                return in.readFloat();
            case Operand.DOUBLE_NUMBER:
                return in.readDouble();
            case Operand.TEXT:
                return text(in);
            case Operand.TYPE:
                return new Event.TypeName(text(in));
            case Operand.OBJECT:
                return new Event.Ref(in.readInt());
            case Operand.OTHER:
                text(in);
                return null;
            default:
                return null;
        }
    }

    private static Object number(char kind, int value) {
        switch (kind) {
            case 'Z':
                return value != 0;
            case 'B':
                return (byte) value;
            case 'C':
                return (char) value;
            case 'S':
                return (short) value;
            default:
                return value;
        }
    }
}
