package java.lang;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A constructor that was inside {@code super(...)} or {@code this(...)} while an exception came out of the constructor
 * it had called. HotSpot accepts no handler there, so its arguments are read off the stack, from which it is not yet gone
 * when the inner constructor's handler runs.
 */
final class $RecrashInside {
    private static final int MOST = 32;

    private final Class<?> type;
    private final String descriptor;
    /** By slot, those of the arguments only; the receiver's is empty. */
    private final Object[] arguments;
    private final $RecrashInside inner;
    private final int depth;

    private $RecrashInside(LiveStackFrame frame, $RecrashInside inner) {
        type = frame.getDeclaringClass();
        descriptor = frame.getDescriptor();
        Object[] locals = frame.getLocals();
        arguments = Arrays.copyOf(locals, Math.min(locals.length, slots(descriptor)));
        if (arguments.length > 0) {
            arguments[0] = null;
        }
        this.inner = inner;
        depth = inner == null ? 1 : inner.depth + 1;
    }

    /** As if a handler had recorded them, outermost first; null when there are none. */
    static $RecrashStorage storage($RecrashInside outermost) {
        if (outermost == null) {
            return null;
        }
        $RecrashStorage storage = new $RecrashStorage(outermost.depth);
        for ($RecrashInside each = outermost; each != null; each = each.inner) {
            int site = $RecrashAgent.siteInside(each.type.getName(), each.descriptor);
            if (site >= 0) {
                storage.open(site);
                each.put(storage);
            }
        }
        return storage;
    }

    private void put($RecrashStorage storage) {
        storage.put((Object) null);
        int slot = 1;
        for (int at = 1; descriptor.charAt(at) != ')'; at = next(descriptor, at)) {
            switch (descriptor.charAt(at)) {
                case 'L':
                case '[':
                    storage.put(reference(slot));
                    break;
                case 'J':
                case 'D':
                    // HotSpot keeps them in the second of their two slots.
                    storage.put(bits(++slot));
                    break;
                default:
                    storage.put((long) (int) bits(slot));
            }
            slot++;
        }
    }

    private Object reference(int slot) {
        Object value = slot < arguments.length ? arguments[slot] : null;
        return value instanceof LiveStackFrame.PrimitiveSlot ? null : value;
    }

    private long bits(int slot) {
        Object value = slot < arguments.length ? arguments[slot] : null;
        if (!(value instanceof LiveStackFrame.PrimitiveSlot)) {
            return 0;
        }
        LiveStackFrame.PrimitiveSlot bits = (LiveStackFrame.PrimitiveSlot) value;
        return bits.size() == Long.BYTES ? bits.longValue() : bits.intValue();
    }

    /** The slots of the receiver and the arguments. */
    private static int slots(String descriptor) {
        int slots = 1;
        for (int at = 1; descriptor.charAt(at) != ')'; at = next(descriptor, at)) {
            char type = descriptor.charAt(at);
            slots += type == 'J' || type == 'D' ? 2 : 1;
        }
        return slots;
    }

    /** Where the type after the one at {@code at} begins. */
    private static int next(String descriptor, int at) {
        int end = at;
        while (descriptor.charAt(end) == '[') {
            end++;
        }
        return descriptor.charAt(end) == 'L' ? descriptor.indexOf(';', end) + 1 : end + 1;
    }

    /** Goes from the handler of a constructor outward, as long as constructors called each other. */
    static final class Search
            implements Function<Stream<StackWalker.StackFrame>, $RecrashInside>, Consumer<StackWalker.StackFrame> {
        private static final StackWalker WALKER =
                LiveStackFrame.getStackWalker(EnumSet.of(StackWalker.Option.RETAIN_CLASS_REFERENCE));

        private $RecrashInside outermost;
        private boolean passedHandler;
        private boolean ended;

        Search($RecrashInside known) {
            outermost = known;
        }

        $RecrashInside outermost() {
            return WALKER.walk(this);
        }

        @Override
        public $RecrashInside apply(Stream<StackWalker.StackFrame> frames) {
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
                outermost = new $RecrashInside((LiveStackFrame) frame, outermost);
            } else {
                ended = true;
            }
        }
    }
}
