package java.lang;

import java.util.ArrayList;
import java.util.Arrays;

/**
 * What objects were like while a throwable left the frames. {@code finally} blocks and resources that are closed put back or
 * throw away much of it before the failure is captured: a stack is popped, a parser is closed, a flag is reset. What a frame
 * leaves behind is nearer to what it was given.
 */
final class $RecrashUnwound {
    /** So many frames are looked at, so many objects for each of them and in all, and so many elements of arrays. */
    private static final int FRAMES = 64;
    private static final int OBJECTS = 64;
    private static final int MOST_OBJECTS = 512;
    private static final int MOST_ELEMENTS = 4096;

    /** So many throwables of one place are looked at whatever comes, then one in every {@link #INTERVAL}, in nanoseconds. */
    private static final int FIRST_TIMES = 4;
    private static final long INTERVAL = 50_000_000L;
    private static final int PLACES = 1 << 12;

    private static volatile boolean on;
    private static final byte[] SEEN = new byte[PLACES];
    private static long latest = System.nanoTime();

    private $RecrashContents[] kept = new $RecrashContents[2];
    /** From which frame on it was like that. */
    private int[] since = new int[2];
    private int count;

    /** Called by the agent where that is wanted: what it touches is loaded while there is room for it. */
    static void prepare() {
        if ($RecrashMutableFields.isReady()) {
            rehearse();
        }
        on = true;
    }

    private static void rehearse() {
        $RecrashUnwound rehearsal = new $RecrashUnwound();
        Object[] values = {new ArrayList<Object>(), new Object[][] {{}}, new long[1]};
        rehearsal.left(0, values, 0, values.length);
        rehearsal.left(1, values, 0, values.length);
        rehearsal.tell(0, new $RecrashChanges());
    }

    /** Whether a throwable that leaves this site first is looked at. Races lose a count now and then. */
    static boolean admits(Throwable t, int site, long now) {
        if (!on || t instanceof VirtualMachineError) {
            return false;
        }
        int place = site & PLACES - 1;
        if (SEEN[place] < FIRST_TIMES) {
            SEEN[place]++;
            return true;
        }
        if (now - latest < INTERVAL) {
            return false;
        }
        latest = now;
        $RecrashConsumed.tick(now);
        return true;
    }

    /** The frame of this number, which put these values, is being left. */
    void left(int frame, Object[] values, int from, int to) {
        if (frame >= FRAMES) {
            return;
        }
        $RecrashContents contents = count == 0 ? null : kept[count - 1];
        if (contents == null || !contents.isStill()) {
            if (count == kept.length) {
                kept = Arrays.copyOf(kept, count * 2);
                since = Arrays.copyOf(since, count * 2);
            }
            contents = contents == null ? new $RecrashContents(MOST_OBJECTS, MOST_ELEMENTS) : contents.again();
            kept[count] = contents;
            since[count++] = frame;
        }
        contents.makeRoom(OBJECTS);
        for (int i = from; i < to; i++) {
            contents.add(values[i]);
        }
        contents.keepNear();
    }

    /** Tells what was different when the frame of this number was left. */
    void tell(int frame, $RecrashChanges changes) {
        for (int i = 0; i < count; i++) {
            if (since[i] == frame) {
                kept[i].tell(i == 0 ? null : kept[i - 1], changes);
            }
        }
    }
}
