package recrash.retrace;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * A loop of a method. One that counts, {@code for (int i = 0; i < 8000; i++)}, has a body that can be left out in any round
 * without a change to the others: its condition looks at local variables alone, and what it does between two rounds is to
 * count on.
 */
final class Loop {
    /** Where its condition begins. */
    final int header;
    /** The last jump back. */
    final int end;
    /** Where its body begins; -1 if none of its rounds can be left out. */
    int body = -1;
    /** Where it counts on. */
    int update = -1;
    int number;

    private Loop(int header, int end) {
        this.header = header;
        this.end = end;
    }

    boolean contains(int place) {
        return place >= header && place <= end;
    }

    boolean isOutermost(MethodCode method) {
        for (Loop other : method.loops) {
            if (other != this && other.contains(header)) {
                return false;
            }
        }
        return true;
    }

    /** From the outside in. */
    static List<Loop> in(MethodCode method) {
        TreeMap<Integer, Integer> ends = new TreeMap<>();
        List<Integer> places = new ArrayList<>();
        for (int at = 0; at < method.code.length; at += Opcodes.length(method, at)) {
            places.add(at);
            int opcode = method.u1(at);
            if (Opcodes.isBranch(opcode) && method.s2(at + 1) < 0) {
                ends.merge(at + method.s2(at + 1), at, Math::max);
            }
        }
        List<Loop> loops = new ArrayList<>();
        ends.forEach((header, end) -> {
            Loop loop = new Loop(header, end);
            loop.counting(method, places);
            loops.add(loop);
        });
        return loops;
    }

    private void counting(MethodCode method, List<Integer> places) {
        if (method.u1(end) != Opcodes.GOTO) {
            return;
        }
        int begins = places.indexOf(header);
        int last = places.indexOf(end);
        int at = begins;
        while (at < last && isSimple(method.u1(places.get(at)))) {
            at++;
        }
        int condition = places.get(at);
        boolean leaves = at < last
                && Opcodes.isConditional(method.u1(condition))
                && condition + method.s2(condition + 1) > end;
        int counted = last - 1;
        if (!leaves || counted <= at) {
            return;
        }
        int from = counts(method, places, counted);
        if (from <= at) {
            return;
        }
        body = places.get(at + 1);
        update = places.get(from);
        if (body >= update) {
            body = -1;
        }
    }

    /** The number of the instruction at which it begins to count on: {@code i++}, {@code i += 10}; -1 if it does something else. */
    private static int counts(MethodCode method, List<Integer> places, int last) {
        int place = places.get(last);
        if (method.u1(place) == Opcodes.IINC) {
            return last;
        }
        int stored = stored(method, place);
        if (stored < 0 || last < 3) {
            return -1;
        }
        int load = places.get(last - 3);
        boolean adds = method.u1(places.get(last - 1)) >= 96 && method.u1(places.get(last - 1)) <= 107;
        boolean constant = isConstant(method.u1(places.get(last - 2)));
        return adds && constant && loaded(method, load) == stored ? last - 3 : -1;
    }

    /** Loads of locals and constants, arithmetic, lengths of arrays. */
    private static boolean isSimple(int opcode) {
        return isConstant(opcode)
                || (opcode >= 21 && opcode <= 45)
                || (opcode >= 96 && opcode <= 131)
                || (opcode >= 133 && opcode <= 152)
                || opcode == 190;
    }

    private static boolean isConstant(int opcode) {
        return opcode >= 2 && opcode <= 20;
    }

    private static int stored(MethodCode method, int at) {
        int opcode = method.u1(at);
        if (opcode == 54 || opcode == 55) {
            return method.u1(at + 1);
        }
        return opcode >= 59 && opcode <= 66 ? (opcode - 59) % 4 : -1;
    }

    private static int loaded(MethodCode method, int at) {
        int opcode = method.u1(at);
        if (opcode == 21 || opcode == 22) {
            return method.u1(at + 1);
        }
        return opcode >= 26 && opcode <= 33 ? (opcode - 26) % 4 : -1;
    }
}
