package java.lang;

import java.lang.ref.SoftReference;

/**
 * Frames and their values, flat: growing arrays of references and of primitive bits, and per frame where its values
 * start. A frame ends where the next one starts.
 *
 * <p>The references are held softly: they give way when the program needs the memory, because an exception that passes
 * must not keep alive what the program has dropped. What the frames of an OutOfMemoryError refer to may be the very
 * thing that fills the heap.
 */
final class $RecrashStorage {
    private static final int SITE = 0;
    private static final int REFERENCES = 1;
    private static final int PRIMITIVES = 2;
    private static final int STRIDE = 3;

    /** Made ahead, for when nothing can be allocated: never grows, and drops what does not fit. */
    final boolean fixed;

    private int[] table;
    private SoftReference<Object[]> references;
    /** The array of {@link #references} as long as a storage made ahead waits for its use. */
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
        references = new SoftReference<Object[]>(array);
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
        Object[] held = other.references.get();
        table = other.table.clone();
        primitives = other.primitives.clone();
        frames = other.frames;
        referenceCount = other.referenceCount;
        primitiveCount = other.primitiveCount;
        lost = held == null ? referenceCount : other.lost;
        references = new SoftReference<Object[]>(held == null ? new Object[referenceCount] : held.clone());
    }

    $RecrashStorage copy() {
        return new $RecrashStorage(this);
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
        Object[] held = references.get();
        if (held == null || referenceCount >= held.length) {
            if (fixed) {
                return;
            }
            held = enlarge(held);
        }
        held[referenceCount++] = value;
    }

    private Object[] enlarge(Object[] held) {
        Object[] larger = new Object[referenceCount * 2 + 8];
        if (held == null) {
            lost = referenceCount;
        } else {
            System.arraycopy(held, 0, larger, 0, referenceCount);
        }
        references = new SoftReference<Object[]>(larger);
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
        Object[] held = references.get();
        for (int i = 0; held != null && i < referenceCount && i < held.length; i++) {
            held[i] = null;
        }
        referenceCount = 0;
        primitiveCount = 0;
        lost = 0;
        frames = 0;
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
        Object[] held = references.get();
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
