package recrash.retrace;

/** The instructions that move values on the stack. */
final class Stack {
    private Stack() {}

    static void move(Frame f, int opcode) {
        boolean wide = f.wide[f.depth - 1];
        switch (opcode) {
            case 87:
                f.depth--;
                break;
            case 88:
                f.depth -= wide ? 1 : 2;
                break;
            case 89:
                insert(f, 1, 1);
                break;
            case 90:
                insert(f, 1, 2);
                break;
            case 91:
                insert(f, 1, f.wide[f.depth - 2] ? 2 : 3);
                break;
            case 92:
                insert(f, wide ? 1 : 2, wide ? 1 : 2);
                break;
            case 93:
                insert(f, wide ? 1 : 2, wide ? 2 : 3);
                break;
            case 94:
                int count = wide ? 1 : 2;
                insert(f, count, count + (f.wide[f.depth - 1 - count] ? 1 : 2));
                break;
            default:
                f.move(f.depth, f.depth - 1);
                f.move(f.depth - 1, f.depth - 2);
                f.move(f.depth - 2, f.depth);
                break;
        }
    }

    /** Copies the first {@code count} values below the {@code under} first ones. */
    private static void insert(Frame f, int count, int under) {
        for (int i = 0; i < under; i++) {
            f.move(f.depth - 1 - i + count, f.depth - 1 - i);
        }
        for (int i = 0; i < count; i++) {
            f.move(f.depth - under + i, f.depth + i);
        }
        f.depth += count;
    }
}
