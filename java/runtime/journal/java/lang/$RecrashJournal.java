package java.lang;

import java.lang.ref.SoftReference;
import java.lang.reflect.Array;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What one thread overwrote lately: the place and the value it had, in the order of the writes. Woven code calls the public
 * methods right before each write; a frame remembers how far the journal was when it was entered.
 *
 * <p>Entries lie in chunks that are filled once: they are young when they are written, which is what collectors find
 * cheap, and can be read while the thread goes on. All of them give way when the program needs the memory, the one in use,
 * too: what it refers to may be the better part of the heap.
 *
 * <p>Nothing here throws, locks or calls a method of the program, and no trace shows these methods.
 */
public final class $RecrashJournal extends $RecrashEntryState {
    private static final int MASK = $RecrashChunk.SIZE - 1;
    /** 65,536 entries; a thousand threads that write as much would take 1 GB, so later ones get less. */
    private static final int MOST_CHUNKS = 128;
    private static final int FEW_CHUNKS = 16;
    private static final int MANY_JOURNALS = 32;
    private static final int FIRST_CHUNKS = 2;
    /** So many elements of arrays are kept in copies of ranges. */
    private static final int MOST_COPIED = 1 << 20;
    private static final int LONGEST_RANGE = 1 << 16;
    /** What {@link #now} says of a journal without entries. */
    private static final int START = 1;
    private static final int CACHE_MASK = 0x3ff;
    /** It is asked who writes when one of so many chunks begins: every 16,384 notes. */
    private static final int SAMPLED = 32;
    /** Marks the copy of a range of references. */
    private static final int RANGE = 1;

    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long REFERENCES = $RecrashArrays.base(Object[].class);
    private static final long LONGS = $RecrashArrays.base(long[].class);
    private static final int LONG_SHIFT = 3;
    private static final int REFERENCE_SIZE = U.arrayIndexScale(Object[].class);
    private static final int REFERENCE_SHIFT = 31 - Integer.numberOfLeadingZeros(REFERENCE_SIZE);

    /** Takes entries and forgets them. */
    static final $RecrashJournal NOWHERE = new $RecrashJournal(-1, 0);

    /** By the last bits of the thread's id, which is never used twice: the journal that was asked for last. */
    private static final $RecrashJournal[] CACHE = cache();
    private static int journals;
    /** How often all journals had to forget. */
    private static volatile int forgotten;

    /** How often it was put into the cache. */
    private int found;
    private final long thread;
    private final int mostChunks;
    /** Who refers to it; null while recrash is at work. */
    private $RecrashThread owner;
    /** Counts the entries ever made. */
    private long next;
    /** What is before cannot be told any more. */
    private long oldest;
    /** What is before must not be told any more, as whoever let all journals forget has said. */
    private volatile long forbidden;
    /** How often that was. */
    private int forgets = forgotten;
    /** The chunk in use. */
    private SoftReference<$RecrashChunk> current;
    private SoftReference<$RecrashChunk>[] chunks;
    /** By chunk: how many elements the ranges in it hold. */
    private int[] copies = new int[FIRST_CHUNKS];
    private int copied;
    /** The slow path of {@link $RecrashOffsets} uses code that writes, too. */
    boolean busy;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private $RecrashJournal(long thread, int mostChunks) {
        this.thread = thread;
        this.mostChunks = mostChunks;
        chunks = new SoftReference[FIRST_CHUNKS];
    }

    private static $RecrashJournal[] cache() {
        $RecrashJournal[] cache = new $RecrashJournal[CACHE_MASK + 1];
        for (int i = 0; i < cache.length; i++) {
            cache[i] = NOWHERE;
        }
        return cache;
    }

    /** The journal of this thread. */
    @ForceInline
    @Hidden
    public static $RecrashJournal current() {
        try {
            long id = $RecrashThread.id(Thread.currentThread());
            $RecrashJournal cached = CACHE[(int) id & CACHE_MASK];
            return cached.thread == id ? cached : find(id);
        } catch (StackOverflowError deep) {
            return NOWHERE;
        }
    }

    @DontInline
    @Hidden
    private static $RecrashJournal find(long id) {
        try {
            $RecrashThread thread = $RecrashThread.current();
            $RecrashJournal journal = ($RecrashJournal) thread.journal;
            if (journal == null) {
                journal = open(id);
                thread.journal = journal;
                journal.owner = thread;
            }
            journal.found++;
            CACHE[(int) id & CACHE_MASK] = journal;
            journal.forgetWhatIsOld();
            return journal;
        } catch (Throwable exhausted) {
            return NOWHERE;
        }
    }

    private static $RecrashJournal open(long id) {
        return new $RecrashJournal(id, journals++ < MANY_JOURNALS ? MOST_CHUNKS : FEW_CHUNKS);
    }

    /** What recrash itself does on this thread from now on is not the program's. */
    static void pause($RecrashThread here) {
        $RecrashJournal journal = ($RecrashJournal) here.journal;
        here.paused = journal;
        use(here, open(journal.thread));
    }

    static void resume($RecrashThread here) {
        use(here, ($RecrashJournal) here.paused);
        here.paused = null;
    }

    private static void use($RecrashThread here, $RecrashJournal journal) {
        here.journal = journal;
        CACHE[(int) journal.thread & CACHE_MASK] = journal;
        journal.forgetWhatIsOld();
    }

    /** The thread will write no more: nobody but a record of a failure needs its journal now, and what it holds may be much. */
    static void end(Thread thread) {
        long id = $RecrashThread.id(thread);
        $RecrashJournal cached = CACHE[(int) id & CACHE_MASK];
        if (cached.thread == id) {
            CACHE[(int) id & CACHE_MASK] = NOWHERE;
            if (cached.owner != null) {
                cached.owner.journal = null;
            }
        }
    }

    /**
     * How far the journal of this thread is, for {@link #tell}; never 0. Asked for everywhere, so it must compile to little:
     * no branch, no call. While a thread has no journal, it has noted nothing, and the start of its journal is right.
     */
    @ForceInline
    @Hidden
    public static int now() {
        try {
            long id = $RecrashThread.id(Thread.currentThread());
            $RecrashJournal cached = CACHE[(int) id & CACHE_MASK];
            long other = cached.thread ^ id;
            return (int) (cached.next & ~((other | -other) >> Long.SIZE - 1)) << 1 | 1;
        } catch (StackOverflowError deep) {
            return 0;
        }
    }

    // Compilers must not inline what woven code calls: notes are everywhere, and a method that grows by their code is itself
    // no longer inlined into its callers, which costs more than a call.

    /** Stores without checks: the place is masked, and a chunk never changes its arrays. */
    @ForceInline
    @Hidden
    private static void add(Object o, Object old, int bits, int place, $RecrashJournal j) {
        int at = (int) j.next & MASK;
        $RecrashChunk chunk = at == 0 ? null : j.current.get();
        if (chunk == null && (chunk = j.begin()) == null) {
            return;
        }
        Object[] objects = chunk.objects;
        long first = REFERENCES + ((long) at << REFERENCE_SHIFT + 1);
        U.putReference(objects, first, o);
        if (old != null) {
            U.putReference(objects, first + REFERENCE_SIZE, old);
        }
        U.putLong(chunk.data, LONGS + ((long) at << LONG_SHIFT), (long) place << Integer.SIZE | bits & 0xffffffffL);
        j.next++;
    }

    @ForceInline
    @Hidden
    private static void add(Object o, Object old, int place, $RecrashJournal journal) {
        add(o, old, 0, place, journal);
    }

    @ForceInline
    @Hidden
    private static void add(Object o, int old, int place, $RecrashJournal journal) {
        add(o, null, old, place, journal);
    }

    @ForceInline
    @Hidden
    private static void add(Object o, long old, int place, $RecrashJournal journal) {
        if (old == (int) old) {
            add(o, null, (int) old, place, journal);
        } else {
            addWide(o, old, place, journal);
        }
    }

    @DontInline
    @Hidden
    private static void addWide(Object o, long old, int place, $RecrashJournal journal) {
        try {
            add(o, new $RecrashLongValue(old), 0, place, journal);
        } catch (Throwable exhausted) {
            journal.oldest = journal.next;
        }
    }

    // The fields of objects that cannot be null, and static fields: woven code reads the old value itself.

    @DontInline
    @Hidden
    public static void put(Object o, Object old, int place) {
        $RecrashJournal journal = NOWHERE;
        try {
            journal = current();
            add(o, old, place, journal);
        } catch (StackOverflowError deep) {
            journal.oldest = journal.next;
        }
    }

    @DontInline
    @Hidden
    public static void put(Object o, long old, int place) {
        $RecrashJournal journal = NOWHERE;
        try {
            journal = current();
            add(o, old, place, journal);
        } catch (StackOverflowError deep) {
            journal.oldest = journal.next;
        }
    }

    @DontInline
    @Hidden
    public static void put(Object o, int old, int place) {
        $RecrashJournal journal = NOWHERE;
        try {
            journal = current();
            add(o, old, place, journal);
        } catch (StackOverflowError deep) {
            journal.oldest = journal.next;
        }
    }

    @DontInline
    @Hidden
    public static void put(Object o, float old, int place) {
        $RecrashJournal journal = NOWHERE;
        try {
            journal = current();
            add(o, Float.floatToRawIntBits(old), place, journal);
        } catch (StackOverflowError deep) {
            journal.oldest = journal.next;
        }
    }

    @DontInline
    @Hidden
    public static void put(Object o, double old, int place) {
        $RecrashJournal journal = NOWHERE;
        try {
            journal = current();
            add(o, Double.doubleToRawLongBits(old), place, journal);
        } catch (StackOverflowError deep) {
            journal.oldest = journal.next;
        }
    }

    // Fields of other objects, by the size of the field.

    @DontInline
    @Hidden
    public static void field(Object o, int place) {
        $RecrashJournal journal = NOWHERE;
        try {
            journal = current();
            int offset = $RecrashOffsets.of(o, place, journal);
            if (offset > 0) {
                add(o, U.getReference(o, offset), place, journal);
            }
        } catch (StackOverflowError deep) {
            journal.oldest = journal.next;
        }
    }

    @DontInline
    @Hidden
    public static void field8(Object o, int place) {
        $RecrashJournal journal = NOWHERE;
        try {
            journal = current();
            int offset = $RecrashOffsets.of(o, place, journal);
            if (offset > 0) {
                add(o, U.getByte(o, offset), place, journal);
            }
        } catch (StackOverflowError deep) {
            journal.oldest = journal.next;
        }
    }

    @DontInline
    @Hidden
    public static void field16(Object o, int place) {
        $RecrashJournal journal = NOWHERE;
        try {
            journal = current();
            int offset = $RecrashOffsets.of(o, place, journal);
            if (offset > 0) {
                add(o, U.getShort(o, offset), place, journal);
            }
        } catch (StackOverflowError deep) {
            journal.oldest = journal.next;
        }
    }

    @DontInline
    @Hidden
    public static void field32(Object o, int place) {
        $RecrashJournal journal = NOWHERE;
        try {
            journal = current();
            int offset = $RecrashOffsets.of(o, place, journal);
            if (offset > 0) {
                add(o, U.getInt(o, offset), place, journal);
            }
        } catch (StackOverflowError deep) {
            journal.oldest = journal.next;
        }
    }

    @DontInline
    @Hidden
    public static void field64(Object o, int place) {
        $RecrashJournal journal = NOWHERE;
        try {
            journal = current();
            int offset = $RecrashOffsets.of(o, place, journal);
            if (offset > 0) {
                add(o, U.getLong(o, offset), place, journal);
            }
        } catch (StackOverflowError deep) {
            journal.oldest = journal.next;
        }
    }

    // Elements of arrays; what is out of bounds is left to the program's own instruction.

    @DontInline
    @Hidden
    public static void element(Object[] array, int index) {
        $RecrashJournal journal = NOWHERE;
        try {
            journal = current();
            if (array != null && index >= 0 && index < array.length) {
                add(array, array[index], index, journal);
            }
        } catch (StackOverflowError deep) {
            journal.oldest = journal.next;
        }
    }

    @DontInline
    @Hidden
    public static void element(int[] array, int index) {
        $RecrashJournal journal = NOWHERE;
        try {
            journal = current();
            if (array != null && index >= 0 && index < array.length) {
                add(array, array[index], index, journal);
            }
        } catch (StackOverflowError deep) {
            journal.oldest = journal.next;
        }
    }

    @DontInline
    @Hidden
    public static void element(long[] array, int index) {
        $RecrashJournal journal = NOWHERE;
        try {
            journal = current();
            if (array != null && index >= 0 && index < array.length) {
                add(array, array[index], index, journal);
            }
        } catch (StackOverflowError deep) {
            journal.oldest = journal.next;
        }
    }

    @DontInline
    @Hidden
    public static void element(float[] array, int index) {
        $RecrashJournal journal = NOWHERE;
        try {
            journal = current();
            if (array != null && index >= 0 && index < array.length) {
                add(array, Float.floatToRawIntBits(array[index]), index, journal);
            }
        } catch (StackOverflowError deep) {
            journal.oldest = journal.next;
        }
    }

    @DontInline
    @Hidden
    public static void element(double[] array, int index) {
        $RecrashJournal journal = NOWHERE;
        try {
            journal = current();
            if (array != null && index >= 0 && index < array.length) {
                add(array, Double.doubleToRawLongBits(array[index]), index, journal);
            }
        } catch (StackOverflowError deep) {
            journal.oldest = journal.next;
        }
    }

    @DontInline
    @Hidden
    public static void element(char[] array, int index) {
        $RecrashJournal journal = NOWHERE;
        try {
            journal = current();
            if (array != null && index >= 0 && index < array.length) {
                add(array, array[index], index, journal);
            }
        } catch (StackOverflowError deep) {
            journal.oldest = journal.next;
        }
    }

    @DontInline
    @Hidden
    public static void element(short[] array, int index) {
        $RecrashJournal journal = NOWHERE;
        try {
            journal = current();
            if (array != null && index >= 0 && index < array.length) {
                add(array, array[index], index, journal);
            }
        } catch (StackOverflowError deep) {
            journal.oldest = journal.next;
        }
    }

    /** Of bytes or booleans: one instruction writes both. */
    @DontInline
    @Hidden
    public static void element(Object array, int index) {
        $RecrashJournal journal = NOWHERE;
        try {
            journal = current();
            if (array instanceof byte[]) {
                byte[] bytes = (byte[]) array;
                if (index >= 0 && index < bytes.length) {
                    add(array, bytes[index], index, journal);
                }
            } else if (array != null) {
                boolean[] flags = (boolean[]) array;
                if (index >= 0 && index < flags.length) {
                    add(array, flags[index] ? 1 : 0, index, journal);
                }
            }
        } catch (StackOverflowError deep) {
            journal.oldest = journal.next;
        }
    }

    /** In place of {@code System.arraycopy}. */
    @ForceInline
    @Hidden
    public static void arraycopy(Object from, int start, Object to, int at, int length) {
        range(to, at, length);
        System.arraycopy(from, start, to, at, length);
    }

    /** The whole array may change. */
    @DontInline
    @Hidden
    public static void whole(Object array) {
        if (array != null) {
            range(array, 0, Array.getLength(array));
        }
    }

    @DontInline
    @Hidden
    private static void range(Object array, int from, int length) {
        try {
            if (array == null || from < 0 || length <= 0 || !array.getClass().isArray()
                    || Array.getLength(array) - length < from) {
                return;
            }
            $RecrashJournal journal = current();
            if (length > LONGEST_RANGE) {
                journal.oldest = journal.next;
                return;
            }
            add(array, copyOf(array, from, length), array instanceof Object[] ? RANGE : 0, from, journal);
            journal.count(length);
        } catch (Throwable exhausted) {
            current().oldest = current().next;
        }
    }

    /** The chunk in use holds more elements; others may have to go for that. */
    private void count(int elements) {
        int current = (int) ((next - 1) / $RecrashChunk.SIZE);
        copies[current & copies.length - 1] += elements;
        copied += elements;
        int first = Math.max((int) (oldest / $RecrashChunk.SIZE), current - chunks.length + 1);
        for (int number = first; copied > MOST_COPIED && number < current; number++) {
            drop(number & chunks.length - 1);
            oldest = (number + 1L) * $RecrashChunk.SIZE;
        }
    }

    private void drop(int slot) {
        copied -= copies[slot];
        copies[slot] = 0;
        chunks[slot] = null;
    }

    private static Object copyOf(Object array, int from, int length) {
        Class<?> kind = array instanceof Object[] ? Object.class : array.getClass().getComponentType();
        Object copy = Array.newInstance(kind, length);
        System.arraycopy(array, from, copy, 0, length);
        return copy;
    }

    // By offset, where the JDK's own code writes past the language.

    @DontInline
    @Hidden
    static void rawReference(Object o, long offset) {
        if (o instanceof Object[]) {
            element((Object[]) o, (int) (offset - REFERENCES >> REFERENCE_SHIFT));
        } else if (o != null) {
            add(o, U.getReference(o, offset), ~(int) offset, current());
        }
    }

    @DontInline
    @Hidden
    static void rawInt(Object o, long offset) {
        if (o != null && !(o instanceof int[])) {
            add(o, U.getInt(o, offset), ~(int) offset, current());
        }
    }

    @DontInline
    @Hidden
    static void rawLong(Object o, long offset) {
        if (o != null && !(o instanceof long[])) {
            add(o, U.getLong(o, offset), ~(int) offset, current());
        }
    }

    /** Some code no longer notes what it writes: with what journals hold, arrays would be led half the way back. */
    static void forget() {
        forgotten++;
        for (int i = 0; i < CACHE.length; i++) {
            CACHE[i].forgetWhatIsOld();
        }
    }

    /** A journal that is not in the cache is asked when it is put there, before it holds anything new, or told. */
    private void forgetWhatIsOld() {
        int all = forgotten;
        if (forgets != all) {
            forbidden = next;
            forgets = all;
        }
    }

    /** A new chunk for the next entry, because the one before is full or gone; null when there is none to be had. */
    @DontInline
    @Hidden
    private $RecrashChunk begin() {
        if (mostChunks == 0) {
            return null;
        }
        try {
            $RecrashChunk chunk = new $RecrashChunk();
            int number = (int) (next / $RecrashChunk.SIZE);
            if (number >= chunks.length && chunks.length < mostChunks) {
                grow(number);
            }
            if (((int) next & MASK) != 0) {
                oldest = next;
            }
            if ((number + 1 & SAMPLED - 1) == 0) {
                $RecrashAgent.writes();
            }
            int slot = number & chunks.length - 1;
            drop(slot);
            current = new SoftReference<$RecrashChunk>(chunk);
            chunks[slot] = current;
            return chunk;
        } catch (Throwable exhausted) {
            oldest = next;
            return null;
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private void grow(int number) {
        SoftReference<$RecrashChunk>[] more = new SoftReference[chunks.length * 2];
        int[] moreCopies = new int[more.length];
        for (int i = Math.max(0, number - chunks.length); i < number; i++) {
            more[i & more.length - 1] = chunks[i & chunks.length - 1];
            moreCopies[i & more.length - 1] = copies[i & chunks.length - 1];
        }
        copies = moreCopies;
        chunks = more;
    }

    private $RecrashChunk chunk(long entry) {
        int number = (int) (entry / $RecrashChunk.SIZE);
        int latest = (int) ((next - 1) / $RecrashChunk.SIZE);
        SoftReference<$RecrashChunk>[] ring = chunks;
        if (entry < Math.max(oldest, forbidden) || latest - number >= ring.length) {
            return null;
        }
        SoftReference<$RecrashChunk> chunk = ring[number & ring.length - 1];
        return chunk == null ? null : chunk.get();
    }

    @Override
    boolean isFirst() {
        return true;
    }

    @Override
    int primitives() {
        return 1;
    }

    /** From the latest entry to the first one after the mark: the first one tells what was there on entry. */
    @Override
    void tell(int mark, $RecrashChanges changes) {
        // A frame that could not ask because the cache knew another thread has the mark of the very first ones.
        if (mark == 0 || mark == START && found > 1) {
            return;
        }
        forgetWhatIsOld();
        // The lower bits, which are enough: nothing is kept for so long that they could mean an earlier place.
        long since = (int) next - (mark >>> 1) & Integer.MAX_VALUE;
        long start = Math.max(next - since, 0);
        long end = changes.reached(this, next, start);
        for (long entry = end - 1; entry >= start; entry--) {
            $RecrashChunk chunk = chunk(entry);
            if (chunk == null) {
                // Without it, what is older would make a state that never was.
                changes.lost(this);
                return;
            }
            int at = (int) entry & MASK;
            long data = chunk.data[at];
            Object old = chunk.objects[2 * at + 1];
            int place = (int) (data >> Integer.SIZE);
            if (old instanceof $RecrashLongValue) {
                tell(chunk.objects[2 * at], null, place, (($RecrashLongValue) old).bits, changes);
            } else {
                tell(chunk.objects[2 * at], old, place, (int) data, changes);
            }
        }
    }

    private static void tell(Object o, Object old, int place, long bits, $RecrashChanges changes) {
        if (o == null) {
            changes.staticField(place, old, bits);
        } else if (!o.getClass().isArray()) {
            changes.field(o, place, old, bits);
        } else if (o instanceof Object[] ? bits == RANGE : old != null) {
            changes.range(o, place, old);
        } else {
            changes.element(o, place, old, bits);
        }
    }
}
