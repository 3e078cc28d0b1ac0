package java.lang;

import java.io.StringReader;
import java.util.Arrays;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What is used up by being read, a parser or a stream, and what it reads from in turn, as it was when a method was entered.
 * Woven code catches whatever is thrown here: the heap or the stack may be exhausted.
 */
public final class $RecrashConsumed extends $RecrashEntryState {
    /** So many read from one another, and so many are kept in one frame. */
    private static final int DEPTH = 8;
    private static final int MOST_OBJECTS = 12;
    /** An object with more fields is more than a parser, and too much to keep on every entry. */
    private static final int MOST_FIELDS = 160;

    /**
     * What keeping may cost. The methods of one slot may keep something so often at once, and so often more with every
     * {@link #TICK} of nanoseconds; all of them together so many fields. Code that is entered for the first times, or now and
     * then, has all it needs; what is hot has to do without, and takes less than a hundredth of the time.
     */
    private static final int SLOTS = 1024;
    private static final int AT_ONCE = 512;
    private static final int PER_TICK = 2;
    private static final int FIELDS_AT_ONCE = 200_000;
    private static final int FIELDS_PER_TICK = 2_000;
    private static final long TICK = 10_000_000L;

    private static final int[] LEFT = new int[SLOTS];
    private static int fieldsLeft;
    private static long begun;

    private static final long[] NONE = {};
    private static final Object[] NOTHING = {};

    private static final Unsafe U = $RecrashMemory.U;

    private final Object object;
    private final $RecrashMutableFields form;
    private final Object[] references;
    private final long[] bits;
    private final $RecrashConsumed next;
    /** With those that follow. */
    private final int count;

    private $RecrashConsumed(Object object, $RecrashMutableFields form, $RecrashConsumed next) {
        this.object = object;
        this.form = form;
        this.next = next;
        count = next == null ? 1 : next.count + 1;
        byte[] types = form.types;
        long[] offsets = form.offsets;
        int referenceCount = form.references;
        Object[] ownReferences = referenceCount == 0 ? NOTHING : new Object[referenceCount];
        long[] ownBits = referenceCount == types.length ? NONE : new long[types.length - referenceCount];
        int reference = 0;
        int bit = 0;
        for (int i = 0; i < types.length; i++) {
            if (types[i] == 'L') {
                ownReferences[reference++] = U.getReference(object, offsets[i]);
            } else {
                ownBits[bit++] = $RecrashContents.bits(object, types[i], offsets[i]);
            }
        }
        references = ownReferences;
        bits = ownBits;
    }

    /** Called by the agent before any woven code: ends of descriptors, separated by spaces. */
    static void prepare(String sources, String except) {
        $RecrashMutableFields.nameSources(sources.split(" "), except.split(" "));
        begun = System.nanoTime();
        Arrays.fill(LEFT, AT_ONCE);
        fieldsLeft = FIELDS_AT_ONCE;
        if ($RecrashMutableFields.isReady()) {
            keep(null, new StringReader("rehearsal"), 0);
        }
    }

    /** One more beside those that were kept already; null for none. The slot is the method's. */
    @ForceInline
    @Hidden
    public static Object keep(Object kept, Object o, int slot) {
        return LEFT[slot & SLOTS - 1] > 0 ? afford(kept, o, slot & SLOTS - 1) : kept;
    }

    /** Races between threads lose a count now and then, which is cheaper than any order among them. */
    @DontInline
    private static Object afford(Object kept, Object o, int slot) {
        tick(System.nanoTime());
        // Whether or not there is a copy: the question alone costs more than hot methods may.
        LEFT[slot]--;
        return fieldsLeft <= 0 ? kept : keep(($RecrashConsumed) kept, o, DEPTH);
    }

    /** Whoever looks at the clock tells the time: nobody else does, where all is spent. */
    static void tick(long now) {
        if (now - begun < TICK) {
            return;
        }
        begun = now;
        for (int i = 0; i < SLOTS; i++) {
            LEFT[i] = Math.min(LEFT[i] + PER_TICK, AT_ONCE);
        }
        fieldsLeft = Math.min(fieldsLeft + FIELDS_PER_TICK, FIELDS_AT_ONCE);
    }

    private static $RecrashConsumed keep($RecrashConsumed kept, Object o, int depth) {
        if (o == null || depth == 0 || kept != null && (kept.count == MOST_OBJECTS || isKept(kept, o))) {
            return kept;
        }
        $RecrashMutableFields form = $RecrashMutableFields.of(o.getClass());
        if (form.kind != $RecrashMutableFields.INSTANCE || form.types.length > MOST_FIELDS) {
            return kept;
        }
        fieldsLeft -= form.types.length;
        $RecrashConsumed all = new $RecrashConsumed(o, form, kept);
        for (long source : form.sources) {
            all = keep(all, U.getReference(o, source), depth - 1);
        }
        return all;
    }

    private static boolean isKept($RecrashConsumed kept, Object o) {
        $RecrashConsumed each = kept;
        while (each != null && each.object != o) {
            each = each.next;
        }
        return each != null;
    }

    @Override
    int primitives() {
        return 0;
    }

    @Override
    void tell(int mark, $RecrashChanges changes) {
        for ($RecrashConsumed each = this; each != null; each = each.next) {
            each.tellFields(changes);
        }
    }

    private void tellFields($RecrashChanges changes) {
        boolean all = changes.toldOf(object);
        int reference = 0;
        int bit = 0;
        for (int i = 0; i < form.types.length; i++) {
            boolean isReference = form.types[i] == 'L';
            Object old = isReference ? references[reference++] : null;
            long oldBits = isReference ? 0 : bits[bit++];
            if (all || (isReference
                    ? old != U.getReference(object, form.offsets[i])
                    : oldBits != $RecrashContents.bits(object, form.types[i], form.offsets[i]))) {
                $RecrashContents.tellField(object, form, i, old, oldBits, changes);
            }
        }
    }
}
