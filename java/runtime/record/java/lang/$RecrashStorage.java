package java.lang;

import java.lang.ref.WeakReference;

/**
 * Frames and their values, flat: growing arrays of references and of primitive bits, and per frame where its values
 * start. A frame ends where the next one starts.
 *
 * <p>The references are the throwable's, see {@link $RecrashValues}, and held softly: they give way when the program needs
 * the memory, because an exception that passes must not keep alive what the program has dropped. What the frames of an
 * OutOfMemoryError refer to may be the very thing that fills the heap.
 */
final class $RecrashStorage {
    private static final int SITE = 0;
    private static final int REFERENCES = 1;
    private static final int PRIMITIVES = 2;
    private static final int STRIDE = 3;

    /** Made ahead, for when nothing can be allocated: never grows, and drops what does not fit. */
    final boolean fixed;

    private int[] table;
    /** The references, until there is a throwable that they belong to. */
    private $RecrashValues own;
    /** The references from then on. */
    private WeakReference<$RecrashValues> belonging;
    /** The array of {@link #own} as long as a storage made ahead waits for its use. */
    private Object[] reserved;
    /** References before this index were given up. */
    private int lost;
    private long[] primitives;
    private int frames;
    private int referenceCount;
    private int primitiveCount;

    $RecrashStorage(int frames) {
        this(frames, false);
    }

    private $RecrashStorage(int frames, boolean fixed) {
        this.fixed = fixed;
        table = new int[frames * STRIDE];
        primitives = new long[frames * 2];
        Object[] array = new Object[frames * 2];
        own = new $RecrashValues(array);
        reserved = fixed ? array : null;
    }

    static $RecrashStorage ahead(int frames) {
        return new $RecrashStorage(frames, true);
    }

    void yieldValues() {
        reserved = null;
    }

    private $RecrashStorage($RecrashStorage other) {
        fixed = false;
        Object[] held = other.held();
        table = other.table.clone();
        primitives = other.primitives.clone();
        frames = other.frames;
        referenceCount = other.referenceCount;
        primitiveCount = other.primitiveCount;
        lost = held == null ? referenceCount : other.lost;
        own = new $RecrashValues(held == null ? new Object[referenceCount] : held.clone());
    }

    $RecrashStorage copy() {
        return new $RecrashStorage(this);
    }

    private $RecrashValues values() {
        return own == null ? belonging.get() : own;
    }

    private Object[] held() {
        $RecrashValues values = values();
        return values == null ? null : values.get();
    }

    /** From now on the references live as long as the throwable does. */
    void belongTo(Throwable t) {
        if (fixed) {
            return;
        }
        $RecrashValues values = values();
        if (values == null) {
            // It has no stack trace, or another one by now, and a collection came in between.
            lost = referenceCount;
            values = new $RecrashValues(new Object[sufficient()]);
            own = values;
        }
        values.hangOn(t);
        if (own != null) {
            belonging = new WeakReference<$RecrashValues>(values);
            own = null;
        }
    }

    /** The array is to be used for another throwable. */
    void leaveThrowable() {
        $RecrashValues values = values();
        own = values == null ? new $RecrashValues(new Object[sufficient()]) : values.moved();
    }

    private int sufficient() {
        return referenceCount * 2 + 8;
    }

    $RecrashOuterConstructor constructors() {
        $RecrashValues values = values();
        return values == null ? null : values.constructors();
    }

    void setConstructors($RecrashOuterConstructor outermost) {
        $RecrashValues values = values();
        if (values != null) {
            values.setConstructors(outermost);
        }
    }

    $RecrashUnwound unwound() {
        $RecrashValues values = values();
        return values == null ? null : values.unwound();
    }

    /** The last frame has put its first values: looks at what they are like now. */
    void lookAround() {
        $RecrashValues values = values();
        Object[] held = values == null ? null : values.get();
        if (held == null || fixed) {
            return;
        }
        $RecrashUnwound unwound = values.unwound();
        if (unwound == null) {
            unwound = new $RecrashUnwound();
            values.setUnwound(unwound);
        }
        unwound.left(frames - 1, held, firstReference(frames - 1), referenceCount);
    }

    void open(int site) {
        int at = frames * STRIDE;
        if (at == table.length) {
            if (fixed) {
                return;
            }
            int[] larger = new int[at * 2];
            System.arraycopy(table, 0, larger, 0, at);
            table = larger;
        }
        table[at + SITE] = site;
        table[at + REFERENCES] = referenceCount;
        table[at + PRIMITIVES] = primitiveCount;
        frames++;
    }

    void put(Object value) {
        Object[] held = held();
        if (held == null || referenceCount >= held.length) {
            if (fixed) {
                return;
            }
            held = enlarge(held);
        }
        held[referenceCount++] = value;
    }

    private Object[] enlarge(Object[] held) {
        Object[] larger = new Object[sufficient()];
        if (held == null) {
            lost = referenceCount;
        } else {
            System.arraycopy(held, 0, larger, 0, referenceCount);
        }
        $RecrashValues values = values();
        if (values == null) {
            belonging = new WeakReference<$RecrashValues>(new $RecrashValues(larger));
        } else {
            values.set(larger);
        }
        return larger;
    }

    void put(long value) {
        if (primitiveCount == primitives.length) {
            if (fixed) {
                return;
            }
            long[] larger = new long[primitiveCount * 2];
            System.arraycopy(primitives, 0, larger, 0, primitiveCount);
            primitives = larger;
        }
        primitives[primitiveCount++] = value;
    }

    void clear() {
        Object[] held = held();
        for (int i = 0; held != null && i < referenceCount && i < held.length; i++) {
            held[i] = null;
        }
        forgetAround();
        referenceCount = 0;
        primitiveCount = 0;
        lost = 0;
        frames = 0;
    }

    private void forgetAround() {
        $RecrashValues values = values();
        if (values != null) {
            values.setConstructors(null);
            values.setUnwound(null);
        }
    }

    /** Not worth keeping for reuse. */
    boolean isLarge() {
        return table.length > 32 * STRIDE;
    }

    int frames() {
        return frames;
    }

    int site(int frame) {
        return table[frame * STRIDE + SITE];
    }

    int firstReference(int frame) {
        return frame == frames ? referenceCount : table[frame * STRIDE + REFERENCES];
    }

    int firstPrimitive(int frame) {
        return frame == frames ? primitiveCount : table[frame * STRIDE + PRIMITIVES];
    }

    /** The references of a frame, fewer than it put when the collector took some. */
    Object[] references(int frame) {
        int from = firstReference(frame);
        int count = firstReference(frame + 1) - from;
        Object[] held = held();
        if (held == null || from < lost || from + count > held.length) {
            return new Object[0];
        }
        Object[] own = new Object[count];
        System.arraycopy(held, from, own, 0, count);
        return own;
    }

    long primitive(int index) {
        return primitives[index];
    }
}
