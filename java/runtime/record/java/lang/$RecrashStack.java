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
        Object[] frames = frames();
        String[] layouts = layouts(frames);
        for (int i = 0; layouts != null && i < frames.length; i++) {
            if (layouts[i] != null) {
                String[] layout = layouts[i].split(" ");
                put($Recrash.enter(point, site(layout)), layout, frames[i]);
            }
        }
    }

    /**
     * The frames of this thread as those that {@code t} would have left if nothing caught it. It is leaving the first one
     * now, whose handler has put some of its values in {@code begun}; the others it still needs, so they can be read.
     */
    static $RecrashFrames whole(Throwable t, $RecrashFrames begun) {
        $RecrashStorage[] first = begun.storages();
        if (first == null || first[0].frames() != 1) {
            return null;
        }
        $RecrashFrames whole = new $RecrashFrames(t, new $RecrashStorage(8));
        Object[] frames = frames();
        String[] layouts = layouts(frames);
        int at = 0;
        while (layouts != null && at < frames.length && layouts[at] == null) {
            at++;
        }
        if (layouts == null || at == frames.length) {
            return null;
        }
        whole.open(t, first[0].site(0));
        String[] layout = layouts[at].split(" ");
        Object[] locals = ((LiveStackFrame) frames[at]).getLocals();
        put(whole, layout, locals, first[0], site(layout) == first[0].site(0));
        for (int i = at + 1; i < frames.length; i++) {
            if (layouts[i] != null) {
                layout = layouts[i].split(" ");
                whole.open(t, site(layout));
                put(whole, layout, frames[i]);
            }
        }
        return whole;
    }

    /** What the handler has put, then what it has not put yet, if the layout is of this very site. */
    private static void put(
            $RecrashFrames record, String[] layout, Object[] locals, $RecrashStorage put, boolean complete) {
        $RecrashStorage rest = new $RecrashStorage(1);
        rest.open(0);
        $RecrashJournal journal = $RecrashThread.current().journalOfProgram();
        put(new $RecrashFrames(null, rest), complete ? layout : new String[] {layout[0]}, locals, journal);
        Object[] known = put.references(0);
        Object[] all = rest.references(0);
        for (int i = 0; i < Math.max(known.length, all.length); i++) {
            record.put(i < known.length ? known[i] : all[i]);
        }
        int knownNumbers = put.firstPrimitive(1);
        int allNumbers = rest.firstPrimitive(1);
        for (int i = 0; i < Math.max(knownNumbers, allNumbers); i++) {
            record.put(i < knownNumbers ? put.primitive(i) : rest.primitive(i));
        }
    }

    /** This thread's, innermost first. */
    private static Object[] frames() {
        $RecrashAgent.makeObjects();
        return walker().walk(new $RecrashStack());
    }

    /** Null where a frame is not monitored. */
    private static String[] layouts(Object[] frames) {
        String[] methods = new String[frames.length];
        for (int i = 0; i < frames.length; i++) {
            LiveStackFrame frame = (LiveStackFrame) frames[i];
            boolean inside = i > 0 && isInsideSuper(frame, (LiveStackFrame) frames[i - 1]);
            Class<?> type = frame.getDeclaringClass();
            methods[i] = name(type, frame.getMethodName(), frame.getDescriptor(), frame.getLocals(), inside);
        }
        return $RecrashAgent.layouts(methods);
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

    /**
     * What {@link $RecrashAgent#layouts} takes: the parts apart by tabs, one more for a constructor in {@code super(...)}. How
     * many variables there are tells frames that were entered before their class was woven anew.
     */
    static String name(Class<?> type, String method, String descriptor, Object[] locals, boolean inside) {
        return type.getName() + "\t" + method + "\t" + descriptor + "\t" + locals.length + (inside ? "\tinside" : "");
    }

    /** A layout is the site, then a kind and a slot for each value; the kind of the journal is P. */
    static int site(String[] layout) {
        return Integer.parseInt(layout[0]);
    }

    private static void put($RecrashFrames record, String[] layout, Object frame) {
        put(record, layout, ((LiveStackFrame) frame).getLocals(), $RecrashThread.current().journalOfProgram());
    }

    static void put($RecrashFrames record, String[] layout, Object[] locals, $RecrashJournal journal) {
        for (int i = 1; i < layout.length; i++) {
            char kind = layout[i].charAt(0);
            int slot = Integer.parseInt(layout[i].substring(1));
            Object value = slot < 0 || slot >= locals.length ? null : locals[slot];
            if (kind == 'L') {
                record.put(value instanceof LiveStackFrame.PrimitiveSlot ? null : value);
            } else if (kind == 'P') {
                record.put(journal == null ? $RecrashJournal.NOWHERE : journal);
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
