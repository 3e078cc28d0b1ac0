package java.lang;

import java.util.EnumSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The frames on the stack of this thread, recorded as their handlers would have, had an exception left them.
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
        put(whole, layout, locals, first[0], $RecrashFrameLayout.site(layout) == first[0].site(0));
        for (int i = at + 1; i < frames.length; i++) {
            if (layouts[i] != null) {
                layout = layouts[i].split(" ");
                whole.open(t, $RecrashFrameLayout.site(layout));
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
        $RecrashEntryState journal = $RecrashThread.current().journalOfProgram();
        $RecrashFrameLayout.put(new $RecrashFrames(null, rest), complete ? layout : new String[] {layout[0]}, locals, journal);
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
    static Object[] frames() {
        $RecrashAgent.makeObjects();
        return walker().walk(new $RecrashStack());
    }

    /** Null where a frame is not monitored. */
    static String[] layouts(Object[] frames) {
        String[] methods = new String[frames.length];
        for (int i = 0; i < frames.length; i++) {
            LiveStackFrame frame = (LiveStackFrame) frames[i];
            boolean inside = i > 0 && isInsideSuper(frame, (LiveStackFrame) frames[i - 1]);
            Class<?> type = frame.getDeclaringClass();
            methods[i] = $RecrashFrameLayout.name(type, frame.getMethodName(), frame.getDescriptor(), frame.getLocals(), inside);
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

    static void put($RecrashFrames record, String[] layout, Object frame) {
        $RecrashFrameLayout.put(record, layout, ((LiveStackFrame) frame).getLocals(), $RecrashThread.current().journalOfProgram());
    }
}
