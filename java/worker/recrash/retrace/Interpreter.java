package recrash.retrace;

import java.lang.reflect.Array;

/**
 * Runs the driver's methods instruction by instruction and everything else as it is, so that rounds of its loops can be left
 * out and it is known where each value is from.
 */
final class Interpreter {
    private static final int MOST_FRAMES = 400;

    final Session session;
    private int frames;

    Interpreter(Session session) {
        this.session = session;
    }

    /** What a method gives, and where it is from. */
    static final class Given {
        final Object value;
        final Tag tag;

        Given(Object value, Tag tag) {
            this.value = value;
            this.tag = tag;
        }
    }

    /** Arguments as they lie on the stack, the receiver first. */
    Given run(MethodCode method, Object[] arguments, Tag[] tags, long path) throws Throwable {
        if (method.code == null) {
            throw new Unsupported("a native method of the driver");
        }
        if (++frames > MOST_FRAMES) {
            frames--;
            throw new StackOverflowError();
        }
        Frame frame = new Frame(method, path);
        int at = 0;
        String descriptor = method.descriptor;
        int next = 1;
        for (int i = 0; i < arguments.length; i++) {
            frame.locals[at] = arguments[i];
            frame.localTags[at] = tags[i];
            at++;
            if (i > 0 || method.isStatic()) {
                char first = descriptor.charAt(next);
                next = Calls.afterType(descriptor, next);
                at += first == 'J' || first == 'D' ? 1 : 0;
            }
        }
        try {
            return loop(frame);
        } finally {
            frames--;
        }
    }

    private Given loop(Frame frame) throws Throwable {
        int place = 0;
        while (true) {
            try {
                while (true) {
                    frame.place = place;
                    Loop body = frame.method.bodyAt(place);
                    if (body != null && session.leavesOut(frame, body)) {
                        place = body.update;
                        frame.place = place;
                    }
                    session.step();
                    int opcode = frame.method.u1(place);
                    if (opcode >= 172 && opcode <= 177) {
                        return opcode == 177
                                ? new Given(null, null)
                                : new Given(frame.stack[frame.depth - 1], frame.tags[frame.depth - 1]);
                    }
                    int target = step(frame, place, opcode);
                    if (target < 0) {
                        target = place + Opcodes.length(frame.method, place);
                    }
                    count(frame, place, target);
                    place = target;
                }
            } catch (Unsupported | Session.TimeUp | ThreadDeath e) {
                throw e;
            } catch (Throwable thrown) {
                int handler = handler(frame, frame.place, thrown);
                if (handler < 0) {
                    session.leaves(frame, thrown);
                    throw thrown;
                }
                count(frame, frame.place, handler);
                frame.depth = 0;
                frame.push(thrown, null);
                place = handler;
            }
        }
    }

    /** A loop that is entered begins with its first round; a jump back is the next one. */
    private static void count(Frame frame, int from, int to) {
        for (Loop loop : frame.method.loops) {
            if (loop.header == to) {
                frame.rounds[loop.number] = loop.contains(from) && from >= to ? frame.rounds[loop.number] + 1 : 0;
            }
        }
        if (to > frame.controlledUntil || to < from) {
            frame.controlledUntil = -1;
        }
    }

    private int handler(Frame frame, int place, Throwable thrown) throws ReflectiveOperationException {
        for (int[] handler : frame.method.handlers) {
            if (place >= handler[0] && place < handler[1]) {
                if (handler[3] == 0) {
                    return handler[2];
                }
                String type = frame.method.owner.className(handler[3]);
                if (World.type(type, session.loader).isInstance(thrown)) {
                    return handler[2];
                }
            }
        }
        return -1;
    }

    /** Where to go on; -1 for the next instruction. */
    private int step(Frame f, int at, int opcode) throws Throwable {
        MethodCode method = f.method;
        if (opcode <= 20) {
            constant(f, at, opcode);
        } else if (opcode <= 45) {
            load(f, method, at, opcode);
        } else if (opcode <= 53) {
            int index = f.popInt();
            Object array = f.pop();
            Tag tag = f.tags[f.depth];
            Object value = Calls.toStack(Array.get(array, index));
            if (opcode == 47 || opcode == 49) {
                f.pushWide(value, tag);
            } else {
                f.push(value, tag);
            }
        } else if (opcode <= 78) {
            int index = opcode <= 58 ? method.u1(at + 1) : (opcode - 59) % 4;
            store(f, index);
        } else if (opcode <= 86) {
            Object value = f.pop();
            int index = f.popInt();
            Object array = f.pop();
            Array.set(array, index, Calls.fromStack(value, array.getClass().getComponentType()));
        } else if (opcode <= 95) {
            Stack.move(f, opcode);
        } else if (opcode <= 131 || (opcode >= 133 && opcode <= 152)) {
            Arithmetic.step(f, opcode);
        } else if (opcode == Opcodes.IINC) {
            increase(f, method.u1(at + 1), method.code[at + 2]);
        } else if (Opcodes.isConditional(opcode)) {
            return condition(f, at, opcode) ? at + method.s2(at + 1) : -1;
        } else if (opcode == Opcodes.GOTO) {
            return at + method.s2(at + 1);
        } else if (opcode == Opcodes.GOTO_W) {
            return at + method.s4(at + 1);
        } else if (opcode == 170 || opcode == 171) {
            return choose(f, at, opcode);
        } else {
            return special(f, at, opcode);
        }
        return -1;
    }

    private int special(Frame f, int at, int opcode) throws Throwable {
        MethodCode method = f.method;
        switch (opcode) {
            case 178:
            case 179:
            case 180:
            case 181:
                session.calls.field(f, at, opcode);
                break;
            case 182:
            case 183:
            case 184:
            case 185:
                session.calls.call(f, at, opcode);
                break;
            case 186:
                session.lambdas.dynamic(f, at);
                break;
            case 187:
                f.push(new Calls.Raw(method.owner.className(method.u2(at + 1))), null);
                break;
            case 188:
                f.push(Array.newInstance(Calls.PRIMITIVES[method.u1(at + 1) - 4], f.popInt()), null);
                break;
            case 189:
                Class<?> component = session.type(method.owner.className(method.u2(at + 1)));
                f.push(Array.newInstance(component, f.popInt()), null);
                break;
            case 190:
                f.push(Array.getLength(f.pop()), null);
                break;
            case 191:
                Object thrown = f.pop();
                session.throwing(f);
                throw thrown == null ? new NullPointerException() : (Throwable) thrown;
            case 192:
                Class<?> type = session.type(method.owner.className(method.u2(at + 1)));
                Object cast = f.stack[f.depth - 1];
                if (cast != null && !(cast instanceof Calls.Raw) && !type.isInstance(cast)) {
                    throw new ClassCastException(cast.getClass() + " cannot be cast to " + type);
                }
                break;
            case 193:
                Object tested = f.pop();
                Tag tag = f.tags[f.depth];
                Class<?> wanted = session.type(method.owner.className(method.u2(at + 1)));
                f.push(wanted.isInstance(tested) ? 1 : 0, tag);
                break;
            case 194:
            case 195:
                f.pop();
                break;
            case 196:
                wide(f, at);
                break;
            case 197:
                int[] sizes = new int[method.u1(at + 3)];
                for (int i = sizes.length - 1; i >= 0; i--) {
                    sizes[i] = f.popInt();
                }
                Class<?> element = session.type(method.owner.className(method.u2(at + 1)));
                for (int i = 0; i < sizes.length; i++) {
                    element = element.getComponentType();
                }
                f.push(Array.newInstance(element, sizes), null);
                break;
            default:
                throw new Unsupported("instruction " + opcode);
        }
        return -1;
    }

    private void wide(Frame f, int at) {
        int opcode = f.method.u1(at + 1);
        int index = f.method.u2(at + 2);
        if (opcode == Opcodes.IINC) {
            increase(f, index, f.method.s2(at + 4));
        } else if (opcode <= 25) {
            f.push(f.locals[index], f.localTags[index]);
            f.wide[f.depth - 1] = opcode == 22 || opcode == 24;
        } else {
            store(f, index);
        }
    }

    private void constant(Frame f, int at, int opcode) throws ClassNotFoundException {
        MethodCode method = f.method;
        if (opcode <= 1) {
            f.push(null, null);
        } else if (opcode <= 8) {
            f.push(opcode - 3, null);
        } else if (opcode <= 10) {
            f.pushWide((long) (opcode - 9), null);
        } else if (opcode <= 13) {
            f.push((float) (opcode - 11), null);
        } else if (opcode <= 15) {
            f.pushWide((double) (opcode - 14), null);
        } else if (opcode == 16) {
            f.push((int) method.code[at + 1], null);
        } else if (opcode == 17) {
            f.push(method.s2(at + 1), null);
        } else {
            int index = opcode == 18 ? method.u1(at + 1) : method.u2(at + 1);
            Object value =
                    method.owner.isClass(index) ? session.type(method.owner.className(index)) : method.owner.loaded(index);
            if (value == null) {
                throw new Unsupported("a dynamic constant");
            }
            f.push(value, null);
            f.wide[f.depth - 1] = opcode == 20;
        }
    }

    private static void load(Frame f, MethodCode method, int at, int opcode) {
        int index = opcode <= 25 ? method.u1(at + 1) : (opcode - 26) % 4;
        int kind = opcode <= 25 ? opcode - 21 : (opcode - 26) / 4;
        f.push(f.locals[index], f.localTags[index]);
        f.wide[f.depth - 1] = kind == 1 || kind == 3;
    }

    private static void store(Frame f, int index) {
        Object value = f.pop();
        Tag tag = f.tags[f.depth];
        f.locals[index] = value;
        f.localTags[index] = f.controlledUntil >= 0 && tag == null && value instanceof Integer
                ? Tag.computed("controlled", new Object[] {value}, f.control)
                : tag;
    }

    private static void increase(Frame f, int index, int by) {
        Object value = (Integer) f.locals[index] + by;
        f.locals[index] = value;
        Tag before = f.localTags[index];
        if (f.controlledUntil >= 0) {
            f.localTags[index] = Tag.computed("controlled", new Object[] {value}, f.control);
        } else if (before != null && !"controlled".equals(before.operation)) {
            f.localTags[index] = Tag.computed("+", new Object[] {(Integer) value - by, by}, before, null);
        }
    }

    private boolean condition(Frame f, int at, int opcode) {
        boolean two = opcode >= 159 && opcode <= 166;
        Object right = two ? f.pop() : opcode >= 198 ? null : (Object) 0;
        Tag rightTag = two ? f.tags[f.depth] : null;
        Object left = f.pop();
        Tag leftTag = f.tags[f.depth];
        boolean jumps = Arithmetic.holds(opcode, left, right);
        f.decidedAt = at;
        f.jumped = jumps;
        f.operands = new Object[] {left, right};
        f.operandTags = new Tag[] {leftTag, rightTag};
        int target = at + f.method.s2(at + 1);
        if (!jumps && target > at && (leftTag != null || rightTag != null)) {
            f.controlledUntil = Math.max(f.controlledUntil, target);
            f.control = Tag.computed("decided", f.operands, leftTag, rightTag);
        }
        return jumps;
    }

    private static int choose(Frame f, int at, int opcode) {
        MethodCode method = f.method;
        int value = f.popInt();
        int operands = (at + 4) & ~3;
        int other = at + method.s4(operands);
        if (opcode == 170) {
            int low = method.s4(operands + 4);
            int high = method.s4(operands + 8);
            return value < low || value > high ? other : at + method.s4(operands + 12 + 4 * (value - low));
        }
        int pairs = method.s4(operands + 4);
        for (int i = 0; i < pairs; i++) {
            if (method.s4(operands + 8 + 8 * i) == value) {
                return at + method.s4(operands + 12 + 8 * i);
            }
        }
        return other;
    }

    /** Something in the driver's code that is not interpreted. */
    static final class Unsupported extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unsupported(String what) {
            super(what, null, false, false);
        }
    }
}
