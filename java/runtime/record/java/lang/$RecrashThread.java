package java.lang;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * What recrash remembers per thread: the records of the most recent throwables.
 *
 * <p>Several throwables can be under way at once: one that waits in a {@code finally} block while others come and go.
 */
final class $RecrashThread {
    private static final int THROWABLES = 8;
    private static final int WAITING = 32;
    private static final int THREADS = 256;
    /** One throwable may be thrown again on so many threads. */
    private static final int MOST_THREADS_PASSED = 8;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long ID = UNSAFE.objectFieldOffset(Thread.class, "tid");
    private static final Class<?> VIRTUAL = virtualThreads();
    private static final $RecrashLocal LOCAL = new $RecrashLocal();

    /**
     * The threads that recorded something lately, also dead ones: an executor's task failed on a thread that may be
     * gone when {@code Future.get} reports it on another.
     */
    private static final $RecrashThread[] THREADS_SEEN = new $RecrashThread[THREADS];
    private static final AtomicInteger THREADS_COUNTED = new AtomicInteger();

    $RecrashFrames latest;

    /** Of the entry that {@code $RecrashLook} is capturing. */
    $RecrashFrames arriving;
    /** The latest failure: on its way to the JVM's own report it passes more than one place that tells of it. */
    WeakReference<Throwable> reported;
    /** A failure of this thread is being captured; whatever fails meanwhile is recrash's own. */
    boolean capturing;
    /** What the thread overwrote; null until it does so in woven code that keeps it. */
    $RecrashEntryState journal;
    /** The same, while recrash is at work on the thread and uses another one. */
    $RecrashEntryState paused;
    private final $RecrashFrames[] recent = new $RecrashFrames[THROWABLES];
    private int next;
    /**
     * Records that newer ones pushed out of {@link #recent}: a catch block may hold its exception while it closes and
     * logs, where others come and go in numbers, before it throws it again.
     */
    private $RecrashFrames[] waiting;
    /** So many places of {@link #waiting} were ever used: few in programs whose exceptions come from few methods. */
    private int waitingCount;
    private int nextWaiting;
    private int seenAt = -1;

    static $RecrashThread current() {
        return LOCAL.get();
    }

    /** What the program overwrote, also while recrash is at work. */
    $RecrashEntryState journalOfProgram() {
        $RecrashEntryState found = paused == null ? journal : paused;
        return found == null ? $RecrashEmptyJournal.INSTANCE : found;
    }

    /** The record of {@code t}: the one begun earlier, here or on another thread, else a new one. */
    $RecrashFrames framesOf(Throwable t) {
        $RecrashFrames frames = find(t);
        if (frames == null) {
            frames = begin(t);
        }
        latest = frames;
        return frames;
    }

    private $RecrashFrames begin(Throwable t) {
        $RecrashFrames oldest = recent[next];
        $RecrashFrames dropped = oldest == null || oldest.isForgotten() ? oldest : letWait(oldest);
        $RecrashStorage storage = dropped == null ? null : dropped.giveUp();
        $RecrashFrames frames = new $RecrashFrames(t, storage == null ? new $RecrashStorage(8) : storage);
        $RecrashReservedRecords.refill();
        recent[next] = frames;
        next = (next + 1) % THROWABLES;
        if (seenAt < 0 || THREADS_COUNTED.get() - seenAt > THREADS / 2) {
            seenAt = THREADS_COUNTED.getAndIncrement();
            THREADS_SEEN[(seenAt & Integer.MAX_VALUE) % THREADS] = this;
        }
        return frames;
    }

    /**
     * Puts the record where one is dropped, which is returned. Of records that began at the same place only the latest
     * waits: what is thrown there over and over is caught, too.
     */
    private $RecrashFrames letWait($RecrashFrames record) {
        if (waiting == null) {
            waiting = new $RecrashFrames[WAITING];
        }
        int slot = -1;
        for (int i = 0; i < waitingCount; i++) {
            $RecrashFrames other = waiting[i];
            if (other.beganWhere(record)) {
                slot = i;
                break;
            }
            if (other.isForgotten()) {
                slot = i;
            }
        }
        if (slot < 0 && waitingCount < WAITING) {
            slot = waitingCount++;
        } else if (slot < 0) {
            slot = nextWaiting;
            nextWaiting = (slot + 1) % WAITING;
        }
        $RecrashFrames dropped = waiting[slot];
        waiting[slot] = record;
        return dropped;
    }

    /** The record of {@code t} if it was begun on this thread and is still there. */
    $RecrashFrames find(Throwable t) {
        $RecrashFrames frames = find(recent, THROWABLES, t);
        // Another thread may look here while this one begins to use the array.
        $RecrashFrames[] older = waiting;
        return frames != null || older == null ? frames : find(older, waitingCount, t);
    }

    private static $RecrashFrames find($RecrashFrames[] records, int count, Throwable t) {
        for (int i = 0; i < count; i++) {
            $RecrashFrames frames = records[i];
            if (frames != null && frames.refersTo(t)) {
                return frames;
            }
        }
        return null;
    }

    /** At failure time only: looks on the given thread first, then everywhere. */
    static $RecrashFrames findAnywhere($RecrashThread here, Throwable t) {
        $RecrashFrames frames = here == null ? null : here.find(t);
        for (int i = 0; frames == null && i < THREADS; i++) {
            $RecrashThread thread = THREADS_SEEN[i];
            if (thread != null) {
                frames = thread.find(t);
            }
        }
        return frames != null ? frames : $RecrashReservedRecords.find(t);
    }

    /** All records of {@code t}, of whatever threads it passed, in the order in which it came to them. */
    static $RecrashFrames[] allOf($RecrashThread here, Throwable t) {
        $RecrashFrames[] found = new $RecrashFrames[MOST_THREADS_PASSED];
        int count = add(found, 0, here == null ? null : here.find(t));
        for (int i = 0; i < THREADS && count < found.length; i++) {
            $RecrashThread thread = THREADS_SEEN[i];
            if (thread != null) {
                count = add(found, count, thread.find(t));
            }
        }
        if (count == 0) {
            count = add(found, 0, $RecrashReservedRecords.find(t));
        }
        $RecrashFrames[] all = new $RecrashFrames[count];
        System.arraycopy(found, 0, all, 0, count);
        return all;
    }

    private static int add($RecrashFrames[] found, int count, $RecrashFrames record) {
        if (record == null || count == found.length) {
            return count;
        }
        int at = count;
        for (int i = count - 1; i >= 0; i--) {
            if (found[i] == record) {
                return count;
            }
            at = record.since() - found[i].since() < 0 ? i : at;
        }
        System.arraycopy(found, at, found, at + 1, count - at);
        found[at] = record;
        return count + 1;
    }

    /** The record of the exception that left the application's code last, on this thread, unless that is longer ago. */
    $RecrashFrames latestOwn(long earliest) {
        $RecrashFrames latest = null;
        for (int i = 0; i < THROWABLES; i++) {
            $RecrashFrames frames = recent[i];
            if (frames != null && frames.isOwn() && !frames.isForgotten() && frames.since() - earliest > 0
                    && (latest == null || frames.since() - latest.since() > 0)) {
                latest = frames;
            }
        }
        return latest;
    }

    /** The same of all threads. */
    static $RecrashFrames latestOwnAnywhere($RecrashThread here, long earliest) {
        $RecrashFrames latest = here.latestOwn(earliest);
        for (int i = 0; i < THREADS; i++) {
            $RecrashThread thread = THREADS_SEEN[i];
            $RecrashFrames frames = thread == null ? null : thread.latestOwn(earliest);
            if (frames != null && (latest == null || frames.since() - latest.since() > 0)) {
                latest = frames;
            }
        }
        return latest;
    }

    /** Drops what the rehearsal left on the thread that starts the JVM. */
    void forgetAll() {
        latest = null;
        for (int i = 0; i < THROWABLES; i++) {
            recent[i] = null;
        }
        waiting = null;
        waitingCount = 0;
    }

    /** Not {@code Thread.getId()}, which a subclass may override. */
    @Hidden
    static long id(Thread thread) {
        return UNSAFE.getLong(thread, ID);
    }

    static boolean isVirtual(Thread thread) {
        return VIRTUAL != null && VIRTUAL.isInstance(thread);
    }

    /** The class of virtual threads; JDK 17 has none. */
    private static Class<?> virtualThreads() {
        try {
            return Class.forName("java.lang.BaseVirtualThread", false, null);
        } catch (ClassNotFoundException older) {
            return null;
        }
    }
}
