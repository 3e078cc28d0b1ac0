package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/** Where the fields that woven code knows by number are in their objects. */
final class $RecrashOffsets {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** By field number; 0 not yet known, -1 never. Replaced when it gets too short. */
    private static int[] offsets = new int[1 << 12];

    private $RecrashOffsets() {}

    /** Above 0 if there is such a field in the object, which may be null. */
    @ForceInline
    @Hidden
    static int of(Object o, int place, $RecrashJournal journal) {
        int[] known = offsets;
        int offset = place < known.length ? known[place] : 0;
        return o == null ? 0 : offset != 0 ? offset : lookUp(o, place, journal);
    }

    /** The same where nothing takes notes. */
    @ForceInline
    @Hidden
    static int of(Object o, int place) {
        int[] known = offsets;
        int offset = place < known.length ? known[place] : 0;
        return o == null ? 0 : offset != 0 ? offset : lookUp(o, place);
    }

    @DontInline
    @Hidden
    private static int lookUp(Object o, int place, $RecrashJournal journal) {
        if (journal.busy || journal == $RecrashJournal.NOWHERE) {
            return 0;
        }
        journal.busy = true;
        try {
            return lookUp(o, place);
        } finally {
            journal.busy = false;
        }
    }

    @DontInline
    @Hidden
    private static int lookUp(Object o, int place) {
        try {
            Class<?> declaring = $RecrashAgent.declaring(place, o.getClass());
            int offset = -1;
            if (declaring != null) {
                offset = (int) U.objectFieldOffset(declaring, $RecrashAgent.place(place)[1]);
            }
            int[] known = offsets;
            if (place >= known.length) {
                int[] longer = new int[Math.max(place + 1, known.length * 2)];
                System.arraycopy(known, 0, longer, 0, known.length);
                known = longer;
                offsets = longer;
            }
            known[place] = offset;
            return offset;
        } catch (Throwable exhausted) {
            return 0;
        }
    }
}
