package recrash.retrace;

/** A method of the driver as it runs. Numbers that fit into an int are an Integer; a long or a double takes one place on the stack. */
final class Frame {
    final MethodCode method;
    final Object[] locals;
    final Tag[] localTags;
    final Object[] stack;
    final Tag[] tags;
    /** Whether this place of the stack holds a primitive long or double. */
    final boolean[] wide;
    /** Tells apart every call of every method, the same in every run. */
    final long path;
    /** By loop: the round it is in; -1 before the first. */
    final int[] rounds;
    int depth;
    int place;

    /** The last condition that was decided here. */
    int decidedAt = -1;
    boolean jumped;
    Object[] operands = {};
    Tag[] operandTags = {};

    /** Up to here a condition over values of the inside decided what runs. */
    int controlledUntil = -1;
    Tag control;

    Frame(MethodCode method, long path) {
        this.method = method;
        this.path = path;
        locals = new Object[method.maxLocals];
        localTags = new Tag[method.maxLocals];
        stack = new Object[method.maxStack + 1];
        tags = new Tag[method.maxStack + 1];
        wide = new boolean[method.maxStack + 1];
        rounds = new int[method.loops.length];
        java.util.Arrays.fill(rounds, -1);
    }

    void push(Object value, Tag tag) {
        stack[depth] = value;
        tags[depth] = tag;
        wide[depth++] = false;
    }

    void pushWide(Object value, Tag tag) {
        push(value, tag);
        wide[depth - 1] = true;
    }

    Object pop() {
        return stack[--depth];
    }

    int popInt() {
        return (Integer) stack[--depth];
    }

    void move(int to, int from) {
        stack[to] = stack[from];
        tags[to] = tags[from];
        wide[to] = wide[from];
    }

    /** What tells this round of the loops around a place from all others. */
    long around(int at) {
        long key = path;
        for (Loop loop : method.loops) {
            if (loop.contains(at)) {
                key = mixed(key, loop.header * 1_000_003L + rounds[loop.number]);
            }
        }
        return mixed(key, at);
    }

    static long mixed(long one, long other) {
        long all = (one ^ other * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
        return all ^ all >>> 29;
    }
}
