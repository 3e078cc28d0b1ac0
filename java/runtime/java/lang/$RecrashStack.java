package java.lang;

import java.util.EnumSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Records the frames on the stack as their handlers would, had an exception left them.
 *
 * <p>The handlers keep every value on entry alive in a local variable for as long as the method runs, so that it can be
 * read from there, in compiled code too.
 */
final class $RecrashStack implements Function<Stream<StackWalker.StackFrame>, Object[]> {
    /** Where HotSpot cuts stack traces. */
    private static final int DEEPEST = 1024;

    private $RecrashStack() {}

    static StackWalker walker() {
        return LiveStackFrame.getStackWalker(EnumSet.of(StackWalker.Option.RETAIN_CLASS_REFERENCE));
    }

    /** Records the frames of this thread as those that {@code point} has left. */
    static void record(Throwable point) {
        $RecrashAgent.makeObjects();
        Object[] frames = walker().walk(new $RecrashStack());
        String[] methods = new String[frames.length];
        for (int i = 0; i < frames.length; i++) {
            LiveStackFrame frame = (LiveStackFrame) frames[i];
            boolean inside = i > 0 && isInsideSuper(frame, (LiveStackFrame) frames[i - 1]);
            methods[i] = name(frame.getDeclaringClass(), frame.getMethodName(), frame.getDescriptor(), inside);
        }
        String[] layouts = $RecrashAgent.layouts(methods);
        for (int i = 0; layouts != null && i < frames.length; i++) {
            if (layouts[i] != null) {
                String[] layout = layouts[i].split(" ");
                put($Recrash.enter(point, site(layout)), layout, ((LiveStackFrame) frames[i]).getLocals());
            }
        }
    }

    @Override
    public Object[] apply(Stream<StackWalker.StackFrame> frames) {
        return frames.limit(DEEPEST).toArray();
    }

    /** Both build the same object. */
    private static boolean isInsideSuper(LiveStackFrame frame, LiveStackFrame inner) {
        return frame.getMethodName().equals("<init>") && inner.getMethodName().equals("<init>")
                && frame.getLocals()[0] == inner.getLocals()[0];
    }

    /** What {@link $RecrashAgent#layouts} takes: the parts apart by tabs, one more for a constructor in {@code super(...)}. */
    static String name(Class<?> type, String method, String descriptor, boolean inside) {
        return type.getName() + "\t" + method + "\t" + descriptor + (inside ? "\tinside" : "");
    }

    /** A layout is the site, then a kind and a slot for each value; the kind of a {@link $RecrashPast} is P. */
    static int site(String[] layout) {
        return Integer.parseInt(layout[0]);
    }

    static void put($RecrashFrames record, String[] layout, Object[] locals) {
        for (int i = 1; i < layout.length; i++) {
            char kind = layout[i].charAt(0);
            int slot = Integer.parseInt(layout[i].substring(1));
            Object value = slot < 0 || slot >= locals.length ? null : locals[slot];
            if (kind == 'L') {
                record.put(value instanceof LiveStackFrame.PrimitiveSlot ? null : value);
            } else if (kind == 'P') {
                record.put(value instanceof $RecrashPast ? value : $RecrashJournal.NOWHERE);
            } else {
                // Of two slots the second holds the number.
                record.put(bits(locals, kind == 'J' || kind == 'D' ? slot + 1 : slot, kind));
            }
        }
    }

    private static long bits(Object[] locals, int slot, char kind) {
        Object value = slot < 0 || slot >= locals.length ? null : locals[slot];
        if (!(value instanceof LiveStackFrame.PrimitiveSlot)) {
            return 0;
        }
        LiveStackFrame.PrimitiveSlot number = (LiveStackFrame.PrimitiveSlot) value;
        long bits = number.size() == Integer.BYTES ? number.intValue() : number.longValue();
        return kind == 'J' || kind == 'D' ? bits : (int) bits;
    }
}
