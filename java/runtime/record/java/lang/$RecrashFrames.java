package java.lang;

import java.lang.ref.$RecrashQueue;
import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * The frames one throwable has left so far, innermost first: the first {@link #FIRST} of them and at least the last
 * {@link #LAST}.
 *
 * <p>Weak in the throwable: once the program forgets the exception, its arguments go with it (see {@link $RecrashValues}), and
 * the reference handler empties the record (see {@link $RecrashQueue}). A collection that would otherwise end in an
 * OutOfMemoryError takes them while the exception is still there.
 */
public final class $RecrashFrames extends WeakReference<Throwable> {
    static final int FIRST = 256;
    static final int LAST = 50;
    /** What a frame of the application weighs: more than all that an exception may have left before the first of them. */
    static final int OWN = 1 << 16;
    /** Where HotSpot cuts stack traces. */
    private static final int LONGEST_TRACE = 1024;

    /** Takes values and forgets them; what a failed {@code enter} returns. */
    static final $RecrashFrames NOWHERE = new $RecrashFrames(null, null);

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long DEPTH = UNSAFE.objectFieldOffset(Throwable.class, "depth");

    /** The user has named this exception, and it is to be captured once the first values are there. */
    boolean due;

    /** What its frames are given is looked at while they are left, see {@link $RecrashUnwound}. */
    boolean looked;

    /** What scoped values were bound to when the first frame was left; null for nothing. */
    private Object scoped;
    /** When the throwable left its first frame, in nanoseconds. */
    private long since;
    /** It left code of the application. */
    private boolean isOwn;
    private $RecrashPassing passing;
    private $RecrashStorage open;
    private $RecrashStorage first;
    private $RecrashStorage beforeLast;
    private $RecrashStorage last;
    private int total;

    /** A record of {@code t}'s frames, or with a null {@code t} a mere sink into {@code storage}. */
    $RecrashFrames(Throwable t, $RecrashStorage storage) {
        super(t, $RecrashQueue.FORGOTTEN);
        first = storage;
        open = storage;
    }

    $RecrashFrames with(Object value) {
        put(value);
        return this;
    }

    $RecrashFrames with(int value) {
        put(value);
        return this;
    }

    /** The frame just recorded has put its first values. */
    @DontInline
    void look() {
        try {
            $RecrashStorage storage = first;
            if (storage != null && storage == open) {
                storage.lookAround();
            }
        } catch (Throwable exhausted) {
            looked = false;
        }
    }

    /** What was looked at; null for nothing. */
    $RecrashUnwound unwound() {
        $RecrashStorage storage = first;
        return storage == null ? null : storage.unwound();
    }

    /** The frame just recorded is a constructor's; those that called it by {@code super(...)} get no handler. */
    @DontInline
    public void inside() {
        try {
            Throwable t = get();
            $RecrashStorage storage = first;
            if (t != null && storage != null && !(t instanceof VirtualMachineError)) {
                storage.setConstructors(new $RecrashOuterConstructor.Search(storage.constructors()).outermost());
            }
        } catch (Throwable exhausted) {
            // These constructors stay unknown.
        }
    }

    /** Constructors that were inside {@code super(...)}, outermost first. */
    $RecrashStorage constructors() {
        $RecrashStorage storage = first;
        return $RecrashOuterConstructor.storage(storage == null ? null : storage.constructors());
    }

    @DontInline
    public void put(Object value) {
        try {
            $RecrashStorage storage = open;
            if (storage != null) {
                storage.put(value);
            }
        } catch (Throwable exhausted) {
            // The frame stays incomplete, and incomplete frames are discarded when the record is read.
        }
    }

    @DontInline
    public void put(int value) {
        put((long) value);
    }

    @DontInline
    public void put(long value) {
        try {
            $RecrashStorage storage = open;
            if (storage != null) {
                storage.put(value);
            }
        } catch (Throwable exhausted) {
            // As above.
        }
    }

    @DontInline
    public void put(float value) {
        put((long) Float.floatToRawIntBits(value));
    }

    @DontInline
    public void put(double value) {
        put(Double.doubleToRawLongBits(value));
    }

    /** The program has forgotten the throwable: forget its arguments. Runs on the reference handler's thread. */
    public void forget() {
        if (first != null && first.fixed) {
            $RecrashReservedRecords.retire(this);
        }
        scoped = null;
        open = null;
        first = null;
        beforeLast = null;
        last = null;
    }

    /** Begins the next frame that {@code t} leaves; whether it is the first. */
    boolean open(Throwable t, int site) {
        $RecrashStorage storage = first;
        if (storage == null) {
            return false;
        }
        if (total > 0 && storage.site(0) == site && isThrownAnew(t)) {
            restart();
        }
        if (++total == 1) {
            scoped = $RecrashScopedValues.of(Thread.currentThread());
        }
        storage.belongTo(t);
        if (storage.frames() >= FIRST && !storage.fixed) {
            storage = lastWithRoom();
            open = storage;
        }
        storage.open(site);
        return total == 1;
    }

    /** The throwable is counted where it left its first frame. */
    void begin(Throwable t, int site, long now) {
        try {
            since = now;
            isOwn = false;
            passing = $RecrashPassing.count(t, site, now);
        } catch (Throwable exhausted) {
            passing = null;
        }
    }

    /** A frame of this site is left: is it the first one of the application? */
    void meet(int site) {
        try {
            if (!isOwn && $RecrashOwnCode.has(site)) {
                isOwn = true;
                if (passing != null && !passing.hasOwn()) {
                    passing.leftOwn(site);
                }
            }
        } catch (Throwable exhausted) {
            // It counts as a library's.
        }
    }

    boolean isOwn() {
        return isOwn;
    }

    long since() {
        return since;
    }

    /**
     * At its first site again, with no trace or one that is shorter than the way it came: not a recursion but a shared
     * exception that was thrown anew.
     */
    private boolean isThrownAnew(Throwable t) {
        int depth = UNSAFE.getInt(t, DEPTH);
        return total >= depth && depth < LONGEST_TRACE;
    }

    /** The last frames sit in two storages that change roles, so that at least {@link #LAST} are always there. */
    private $RecrashStorage lastWithRoom() {
        $RecrashStorage current = last;
        if (current == null) {
            current = new $RecrashStorage(LAST);
            last = current;
        } else if (current.frames() >= LAST) {
            $RecrashStorage emptied = beforeLast;
            if (emptied == null) {
                emptied = new $RecrashStorage(LAST);
            } else {
                emptied.clear();
            }
            beforeLast = current;
            last = emptied;
            current = emptied;
        }
        return current;
    }

    private void restart() {
        $RecrashStorage storage = first;
        if (storage != null) {
            storage.clear();
        }
        open = storage;
        beforeLast = null;
        last = null;
        total = 0;
    }

    boolean isForgotten() {
        return first == null || refersTo(null);
    }

    /** Whether the innermost frame of both is the same method. */
    boolean beganWhere($RecrashFrames other) {
        $RecrashStorage mine = first;
        $RecrashStorage its = other.first;
        return mine != null && its != null && mine.frames() > 0 && its.frames() > 0 && mine.site(0) == its.site(0);
    }

    int total() {
        return total;
    }

    /** See {@link $RecrashScopedValues#pairs}. */
    Object scoped() {
        return scoped;
    }

    /**
     * How much it tells: how many frames of the application it left, and before there are some, how many at all. Of many frames
     * the first ones are looked at.
     */
    int weight() {
        $RecrashStorage storage = first;
        int own = 0;
        for (int i = 0; isOwn && storage != null && i < storage.frames(); i++) {
            own += $RecrashOwnCode.has(storage.site(i)) ? 1 : 0;
        }
        return own == 0 ? total : own * OWN;
    }

    /** A hash of what it is and where it came from. */
    long origin(Throwable t) {
        $RecrashStorage storage = first;
        int site = storage == null || storage.frames() == 0 ? 0 : storage.site(0);
        return t.getClass().getName().hashCode() * 31L + site;
    }

    /** A hash of the way the throwable came. */
    long way(long before) {
        $RecrashStorage storage = first;
        long way = before * 31 + total;
        for (int i = 0; storage != null && i < storage.frames() && i < LAST; i++) {
            way = way * 31 + storage.site(i);
        }
        return way;
    }

    /** Hands the storage on to a newer record, which saves most of the cost of an exception that is thrown often. */
    $RecrashStorage giveUp() {
        $RecrashStorage storage = first;
        forget();
        if (storage == null || storage.isLarge()) {
            return null;
        }
        storage.clear();
        storage.leaveThrowable();
        return storage;
    }

    /** Copies of what holds frames, in the order the frames were left; null when they went to a newer record meanwhile. */
    $RecrashStorage[] storages() {
        $RecrashStorage original = first;
        $RecrashStorage[] copies = new $RecrashStorage[3];
        copies[0] = original == null ? null : original.copy();
        copies[1] = beforeLast == null ? null : beforeLast.copy();
        copies[2] = last == null ? null : last.copy();
        return original != null && first == original ? copies : null;
    }

    /** A record made ahead gets to work: from now on its values give way when memory is needed. */
    void yieldValues() {
        first.yieldValues();
    }
}
