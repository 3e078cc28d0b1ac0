package recrash.retrace;

import java.util.ArrayList;
import java.util.List;

/** A method: its code, and the loops in it. */
final class MethodCode {
    private static final int STATIC = 8;

    final ClassCode owner;
    final int access;
    final String name;
    final String descriptor;
    int maxStack;
    int maxLocals;
    byte[] code;
    int[][] handlers = {};
    /** The inner ones behind those around them. */
    Loop[] loops = {};
    /** By place of an instruction: what it resolved to. */
    Object[] resolved = {};
    /** By place: the loop whose body begins there. */
    private Loop[] bodies = {};

    MethodCode(ClassCode owner, int access, String name, String descriptor) {
        this.owner = owner;
        this.access = access;
        this.name = name;
        this.descriptor = descriptor;
    }

    boolean isStatic() {
        return (access & STATIC) != 0;
    }

    void ready() {
        resolved = new Object[code.length];
        List<Loop> found = Loop.in(this);
        loops = new ArrayList<>(found).toArray(new Loop[0]);
        bodies = new Loop[code.length];
        for (int i = 0; i < loops.length; i++) {
            loops[i].number = i;
            if (loops[i].body >= 0) {
                bodies[loops[i].body] = loops[i];
            }
        }
    }

    Loop bodyAt(int place) {
        return bodies[place];
    }

    int u1(int at) {
        return code[at] & 0xff;
    }

    int s2(int at) {
        return (short) (u1(at) << 8 | u1(at + 1));
    }

    int u2(int at) {
        return u1(at) << 8 | u1(at + 1);
    }

    int s4(int at) {
        return u2(at) << 16 | u2(at + 2);
    }
}
