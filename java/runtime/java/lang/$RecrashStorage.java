package java.lang;

/**
 * Frames and their values, flat: growing arrays of references and of primitive bits, and per frame where its values
 * start. A frame ends where the next one starts.
 */
final class $RecrashStorage {
    private static final int SITE = 0;
    private static final int REFERENCES = 1;
    private static final int PRIMITIVES = 2;
    private static final int STRIDE = 3;

    private int[] table;
    private Object[] references;
    private long[] primitives;
    private int frames;
    private int referenceCount;
    private int primitiveCount;

    $RecrashStorage(int frames) {
        table = new int[frames * STRIDE];
        references = new Object[frames * 2];
        primitives = new long[frames];
    }

    private $RecrashStorage($RecrashStorage other) {
        table = other.table.clone();
        references = other.references.clone();
        primitives = other.primitives.clone();
        frames = other.frames;
        referenceCount = other.referenceCount;
        primitiveCount = other.primitiveCount;
    }

    $RecrashStorage copy() {
        return new $RecrashStorage(this);
    }

    void open(int site) {
        int at = frames * STRIDE;
        if (at == table.length) {
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
        if (referenceCount == references.length) {
            Object[] larger = new Object[referenceCount * 2];
            System.arraycopy(references, 0, larger, 0, referenceCount);
            references = larger;
        }
        references[referenceCount++] = value;
    }

    void put(long value) {
        if (primitiveCount == primitives.length) {
            long[] larger = new long[primitiveCount * 2];
            System.arraycopy(primitives, 0, larger, 0, primitiveCount);
            primitives = larger;
        }
        primitives[primitiveCount++] = value;
    }

    /** Drops the newest frame of {@code site} and everything after it; nothing when there is none. */
    void dropFrom(int site) {
        for (int frame = frames - 1; frame >= 0; frame--) {
            if (site(frame) == site) {
                keep(frame);
                return;
            }
        }
    }

    /** Drops the older half: entries that exceptions left behind must not pile up. */
    void dropOldest() {
        int gone = frames / 2;
        if (gone == 0) {
            return;
        }
        int goneReferences = firstReference(gone);
        int gonePrimitives = firstPrimitive(gone);
        int left = frames - gone;
        for (int frame = 0; frame < left; frame++) {
            int from = (frame + gone) * STRIDE;
            int to = frame * STRIDE;
            table[to + SITE] = table[from + SITE];
            table[to + REFERENCES] = table[from + REFERENCES] - goneReferences;
            table[to + PRIMITIVES] = table[from + PRIMITIVES] - gonePrimitives;
        }
        System.arraycopy(references, goneReferences, references, 0, referenceCount - goneReferences);
        System.arraycopy(primitives, gonePrimitives, primitives, 0, primitiveCount - gonePrimitives);
        int before = referenceCount;
        referenceCount -= goneReferences;
        primitiveCount -= gonePrimitives;
        frames = left;
        for (int i = referenceCount; i < before; i++) {
            references[i] = null;
        }
    }

    void clear() {
        keep(0);
    }

    private void keep(int kept) {
        if (kept >= frames) {
            return;
        }
        int newReferences = firstReference(kept);
        for (int i = newReferences; i < referenceCount; i++) {
            references[i] = null;
        }
        referenceCount = newReferences;
        primitiveCount = firstPrimitive(kept);
        frames = kept;
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

    Object reference(int index) {
        return references[index];
    }

    long primitive(int index) {
        return primitives[index];
    }
}
