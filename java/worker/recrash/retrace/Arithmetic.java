package recrash.retrace;

/** Arithmetic, conversions and comparisons (JVMS 6.5). */
final class Arithmetic {
    private static final String[] NAMES = {"+", "-", "*", "/", "%", "-", "<<", ">>", ">>>", "&", "|", "^"};

    private Arithmetic() {}

    static void step(Frame f, int opcode) {
        if (opcode >= 133 && opcode <= 147) {
            Object value = f.pop();
            Tag tag = f.tags[f.depth];
            Object converted = converted(opcode, (Number) value);
            f.push(converted, Tag.computed("convert", new Object[] {value}, tag));
            f.wide[f.depth - 1] = converted instanceof Long || converted instanceof Double;
            return;
        }
        if (opcode >= 116 && opcode <= 119) {
            Object value = f.pop();
            Object negated = negated((Number) value);
            f.push(negated, Tag.computed("0 -", new Object[] {value}, f.tags[f.depth]));
            f.wide[f.depth - 1] = opcode == 117 || opcode == 119;
            return;
        }
        Object right = f.pop();
        Tag rightTag = f.tags[f.depth];
        Object left = f.pop();
        Tag leftTag = f.tags[f.depth];
        Object value;
        String name;
        if (opcode >= 148) {
            value = compared(opcode, (Number) left, (Number) right);
            f.push(value, Tag.computed("compare", new Object[] {left, right}, leftTag, rightTag));
            return;
        }
        if (opcode >= 120) {
            name = NAMES[6 + (opcode - 120) / 2];
            value = bits((opcode - 120) / 2, left, right);
        } else {
            name = NAMES[(opcode - 96) / 4];
            value = calculated((opcode - 96) / 4, (Number) left, (Number) right);
        }
        f.push(value, Tag.computed(name, new Object[] {left, right}, leftTag, rightTag));
        f.wide[f.depth - 1] = value instanceof Long || value instanceof Double;
    }

    private static Object calculated(int operation, Number left, Number right) {
        if (left instanceof Integer) {
            int a = left.intValue();
            int b = right.intValue();
            return operation == 0 ? a + b : operation == 1 ? a - b : operation == 2 ? a * b : operation == 3 ? a / b : a % b;
        }
        if (left instanceof Long) {
            long a = left.longValue();
            long b = right.longValue();
            return operation == 0 ? a + b : operation == 1 ? a - b : operation == 2 ? a * b : operation == 3 ? a / b : a % b;
        }
        if (left instanceof Float) {
            float a = left.floatValue();
            float b = right.floatValue();
            return operation == 0 ? a + b : operation == 1 ? a - b : operation == 2 ? a * b : operation == 3 ? a / b : a % b;
        }
        double a = left.doubleValue();
        double b = right.doubleValue();
        return operation == 0 ? a + b : operation == 1 ? a - b : operation == 2 ? a * b : operation == 3 ? a / b : a % b;
    }

    private static Object negated(Number value) {
        if (value instanceof Integer) {
            return -value.intValue();
        }
        if (value instanceof Long) {
            return -value.longValue();
        }
        if (value instanceof Float) {
            return -value.floatValue();
        }
        return -value.doubleValue();
    }

    private static Object bits(int operation, Object left, Object right) {
        if (left instanceof Integer) {
            int a = (Integer) left;
            int b = ((Number) right).intValue();
            int[] all = {a << b, a >> b, a >>> b, a & b, a | b, a ^ b};
            return all[operation];
        }
        long a = (Long) left;
        long b = ((Number) right).longValue();
        long[] all = {a << b, a >> b, a >>> b, a & b, a | b, a ^ b};
        return all[operation];
    }

    private static Object converted(int opcode, Number value) {
        switch (opcode) {
            case 133:
            case 140:
            case 143:
                return value.longValue();
            case 134:
            case 137:
            case 144:
                return value.floatValue();
            case 135:
            case 138:
            case 141:
                return value.doubleValue();
            case 145:
                return (int) (byte) value.intValue();
            case 146:
                return (int) (char) value.intValue();
            case 147:
                return (int) (short) value.intValue();
            default:
                return value instanceof Long
                        ? (Object) (int) value.longValue()
                        : value instanceof Float ? (Object) (int) value.floatValue() : (Object) (int) value.doubleValue();
        }
    }

    private static Object compared(int opcode, Number left, Number right) {
        if (opcode == 148) {
            return Long.compare(left.longValue(), right.longValue());
        }
        double a = left.doubleValue();
        double b = right.doubleValue();
        if (Double.isNaN(a) || Double.isNaN(b)) {
            return opcode == 149 || opcode == 151 ? -1 : 1;
        }
        return a < b ? -1 : a > b ? 1 : 0;
    }

    static boolean holds(int opcode, Object left, Object right) {
        if (opcode == 198 || opcode == 199 || opcode == 165 || opcode == 166) {
            boolean same = left == right;
            return same == (opcode == 198 || opcode == 165);
        }
        int a = (Integer) left;
        int b = (Integer) right;
        switch ((opcode - 153) % 6) {
            case 0:
                return a == b;
            case 1:
                return a != b;
            case 2:
                return a < b;
            case 3:
                return a >= b;
            case 4:
                return a > b;
            default:
                return a <= b;
        }
    }
}
