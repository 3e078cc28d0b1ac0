package recrash.retrace;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import recrash.wire.Operand;
import recrash.wire.Origin;

/** Events, values and where they are from, as recrash reads them. */
final class Encoder {
    private static final int DEEPEST = 48;

    private Encoder() {}

    static byte[] events(List<Event> events) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        Map<Event.Member, Integer> members = new IdentityHashMap<>();
        ByteArrayOutputStream named = new ByteArrayOutputStream();
        DataOutputStream names = new DataOutputStream(named);
        for (Event event : events) {
            if (!members.containsKey(event.member)) {
                members.put(event.member, members.size());
                text(names, event.member.owner);
                text(names, event.member.name);
                text(names, event.member.descriptor);
            }
        }
        out.writeInt(members.size());
        out.write(named.toByteArray());
        out.writeInt(events.size());
        for (Event event : events) {
            out.writeByte(event.kind);
            out.writeInt(members.get(event.member));
            out.writeByte(event.inside ? 1 : 0);
            out.writeByte(event.threw ? 1 : 0);
            operand(out, event.receiver);
            out.writeInt(event.arguments.length);
            for (Object argument : event.arguments) {
                operand(out, argument);
            }
            out.writeInt(event.result);
            operand(out, event.value);
        }
        return bytes.toByteArray();
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    static void operand(DataOutputStream out, Object value) throws IOException {
        if (value == null) {
            Operand.nothing(out);
        } else if (value instanceof Event.Ref) {
            Operand.object(out, ((Event.Ref) value).number);
        } else if (value instanceof String) {
            Operand.text(out, (String) value);
        } else if (value instanceof Class) {
            Operand.type(out, ((Class<?>) value).getName());
        } else if (value instanceof Long) {
            Operand.longNumber(out, (Long) value);
        } else if (value instanceof Float) {
            Operand.floatNumber(out, (Float) value);
        } else if (value instanceof Double) {
            Operand.doubleNumber(out, (Double) value);
        } else if (value instanceof Integer) {
            Operand.number(out, 'I', (Integer) value);
        } else if (value instanceof Boolean) {
            Operand.number(out, 'Z', (Boolean) value ? 1 : 0);
        } else if (value instanceof Character) {
            Operand.number(out, 'C', (Character) value);
        } else if (value instanceof Byte) {
            Operand.number(out, 'B', (Byte) value);
        } else if (value instanceof Short) {
            Operand.number(out, 'S', (Short) value);
        } else {
            Operand.other(out, value.getClass().getName());
        }
    }

    static byte[] decision(Session.Decision decision) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(decision.operands.length);
        for (int i = 0; i < decision.operands.length; i++) {
            operand(out, decision.operands[i]);
            origin(out, decision.tags[i], 0);
        }
        return bytes.toByteArray();
    }

    private static void origin(DataOutputStream out, Tag tag, int depth) throws IOException {
        if (tag == null || depth > DEEPEST) {
            Origin.constant(out);
            return;
        }
        if (tag.operation == null) {
            Origin.event(out, tag.event);
            return;
        }
        out.writeByte(Origin.COMPUTED);
        text(out, tag.operation);
        out.writeInt(tag.values.length);
        for (Object value : tag.values) {
            operand(out, value);
        }
        out.writeInt(tag.of.length);
        for (Tag one : tag.of) {
            origin(out, one, depth + 1);
        }
    }
}
