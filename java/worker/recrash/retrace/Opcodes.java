package recrash.retrace;

/** Sizes and kinds of instructions (JVMS 6.5). */
final class Opcodes {
    static final int IINC = 132;
    static final int GOTO = 167;
    static final int GOTO_W = 200;

    private Opcodes() {}

    static int length(MethodCode method, int at) {
        int opcode = method.u1(at);
        if (opcode == 170 || opcode == 171) {
            int operands = (at + 4) & ~3;
            return opcode == 170
                    ? operands + 12 + 4 * (method.s4(operands + 8) - method.s4(operands + 4) + 1) - at
                    : operands + 8 + 8 * method.s4(operands + 4) - at;
        }
        if (opcode == 196) {
            return method.u1(at + 1) == IINC ? 6 : 4;
        }
        if (opcode == 16 || opcode == 18 || (opcode >= 21 && opcode <= 25) || (opcode >= 54 && opcode <= 58)
                || opcode == 169 || opcode == 188) {
            return 2;
        }
        if (opcode == 17 || opcode == 19 || opcode == 20 || opcode == IINC || isBranch(opcode)
                || (opcode >= 178 && opcode <= 184) || opcode == 187 || opcode == 189 || opcode == 192 || opcode == 193) {
            return 3;
        }
        if (opcode == 185 || opcode == 186 || opcode == GOTO_W || opcode == 201) {
            return 5;
        }
        return opcode == 197 ? 4 : 1;
    }

    /** With an offset of two bytes; the goto included. */
    static boolean isBranch(int opcode) {
        return (opcode >= 153 && opcode <= 168) || opcode == 198 || opcode == 199;
    }

    static boolean isConditional(int opcode) {
        return (opcode >= 153 && opcode <= 166) || opcode == 198 || opcode == 199;
    }
}
