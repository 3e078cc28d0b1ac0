package java.lang;

import java.lang.ref.SoftReference;
import jdk.internal.vm.annotation.DontInline;

/**
 * Copies of what a frame was given, made on entry (paper 2.2.1). Woven code catches whatever is thrown here: the heap or
 * the stack may be exhausted.
 */
public final class $RecrashCopy extends $RecrashEntryState {
    /** Larger ones give way when the program needs the memory: there may be one in each of a thousand frames. */
    private static final int LARGE = 512;

    private final int depth;
    private final String used;
    private $RecrashContents contents = new $RecrashContents();
    private SoftReference<$RecrashContents> large;

    private $RecrashCopy(int depth, String used) {
        this.depth = depth;
        this.used = used;
    }

    /** As {@link $RecrashContents#keep} takes them. */
    @DontInline
    public static $RecrashCopy begin(int depth, String used) {
        return new $RecrashCopy(depth, used);
    }

    /** One more thing that the frame was given. */
    @DontInline
    public void add(Object o) {
        contents.add(o);
    }

    /** All are added: makes the copy. */
    @DontInline
    public $RecrashCopy end() {
        contents.keep(depth, used);
        if (contents.size() >= LARGE) {
            large = new SoftReference<>(contents);
            contents = null;
        }
        return this;
    }

    @Override
    int primitives() {
        return 0;
    }

    @Override
    void tell(int mark, $RecrashChanges changes) {
        $RecrashContents kept = large == null ? contents : large.get();
        if (kept != null) {
            kept.tell(null, changes);
        }
    }

    /** Called by the agent where methods copy: what they touch is loaded while there is room for it. */
    static void rehearse() {
        if (!$RecrashMutableFields.isReady()) {
            return;
        }
        $RecrashCopy copy = begin(0, null);
        copy.add(new Object[][] {new Object[64], {new long[LARGE], new StringBuilder("rehearsal"), new Object()}});
        copy.end().tell(0, new $RecrashChanges());
        begin(1, "value;").end();
    }
}
