package java.lang;

import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A constructor that was inside {@code super(...)} or {@code this(...)} while an exception came out of the constructor
 * it had called. HotSpot accepts no handler there, so its arguments are read off the stack, from which it is not yet gone
 * when the inner constructor's handler runs.
 */
final class $RecrashOuterConstructor {
    private static final int MOST = 32;

    private final Class<?> type;
    private final String descriptor;
    private final Object[] locals;
    private final $RecrashEntryState journal;
    private final $RecrashOuterConstructor inner;
    private final int depth;

    private $RecrashOuterConstructor(LiveStackFrame frame, $RecrashOuterConstructor inner) {
        type = frame.getDeclaringClass();
        descriptor = frame.getDescriptor();
        locals = frame.getLocals();
        // The object is not to be seen, and not to be kept: it is not built yet.
        locals[0] = null;
        journal = $RecrashThread.current().journalOfProgram();
        this.inner = inner;
        depth = inner == null ? 1 : inner.depth + 1;
    }

    /** As if a handler had recorded them, outermost first; null when there are none. */
    static $RecrashStorage storage($RecrashOuterConstructor outermost) {
        if (outermost == null) {
            return null;
        }
        String[] names = new String[outermost.depth];
        int count = 0;
        for ($RecrashOuterConstructor each = outermost; each != null; each = each.inner) {
            names[count++] = $RecrashFrameLayout.name(each.type, "<init>", each.descriptor, each.locals, true);
        }
        String[] layouts = $RecrashAgent.layouts(names);
        $RecrashStorage storage = new $RecrashStorage(count);
        $RecrashFrames record = new $RecrashFrames(null, storage);
        $RecrashOuterConstructor each = outermost;
        for (int i = 0; layouts != null && i < count; i++, each = each.inner) {
            if (layouts[i] != null) {
                String[] layout = layouts[i].split(" ");
                storage.open($RecrashFrameLayout.site(layout));
                $RecrashFrameLayout.put(record, layout, each.locals, each.journal);
            }
        }
        return storage;
    }

    /** Goes from the handler of a constructor outward, as long as constructors called each other. */
    static final class Search
            implements Function<Stream<StackWalker.StackFrame>, $RecrashOuterConstructor>, Consumer<StackWalker.StackFrame> {
        private static final StackWalker WALKER = $RecrashStack.walker();

        private $RecrashOuterConstructor outermost;
        private boolean passedHandler;
        private boolean ended;

        Search($RecrashOuterConstructor known) {
            outermost = known;
        }

        $RecrashOuterConstructor outermost() {
            return WALKER.walk(this);
        }

        @Override
        public $RecrashOuterConstructor apply(Stream<StackWalker.StackFrame> frames) {
            Spliterator<StackWalker.StackFrame> outward = frames.spliterator();
            while (!ended && outward.tryAdvance(this)) {
                ended |= outermost != null && outermost.depth >= MOST;
            }
            return outermost;
        }

        @Override
        public void accept(StackWalker.StackFrame frame) {
            if (frame.getDeclaringClass().getName().startsWith("java.lang.$Recrash")) {
                return;
            }
            if (!passedHandler) {
                passedHandler = true;
            } else if (frame.getMethodName().equals("<init>")) {
                outermost = new $RecrashOuterConstructor((LiveStackFrame) frame, outermost);
            } else {
                ended = true;
            }
        }
    }
}
