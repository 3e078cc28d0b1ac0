package java.lang;

import jdk.internal.misc.Unsafe;

/** The uncaught throwable, its causes, and what was recorded while each of them unwound the stack. */
final class $RecrashChain {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long MESSAGE = UNSAFE.objectFieldOffset(Throwable.class, "detailMessage");
    private static final long CAUSE = UNSAFE.objectFieldOffset(Throwable.class, "cause");
    private static final int LONGEST = 64;

    /** The uncaught one first, the root cause last; of an entry, a null. */
    private final Throwable[] throwables = new Throwable[LONGEST];
    private final $RecrashStorage[][] storages = new $RecrashStorage[LONGEST][];
    private final int[] totals = new int[LONGEST];
    private final $RecrashStorage[] constructors = new $RecrashStorage[LONGEST];
    private final $RecrashUnwound[] unwound = new $RecrashUnwound[LONGEST];
    private int count;
    private $RecrashFrames innermost;

    /** {@code whole}, where given, stands for the record of {@code failed}, which has not left all of its frames yet. */
    $RecrashChain($RecrashThread here, Throwable failed, $RecrashFrames whole) {
        for (Throwable t = failed; t != null && count < LONGEST && !contains(t); t = cause(t)) {
            $RecrashFrames[] records = $RecrashThread.allOf(here, t);
            if (records.length > 0) {
                innermost = records[0];
                put(t == failed && whole != null ? new $RecrashFrames[] {whole} : records);
            }
            throwables[count++] = t;
        }
    }

    /** The frames of the thread that threw it, then those of others that threw it again. */
    private void put($RecrashFrames[] records) {
        storages[count] = records[0].storages();
        totals[count] = records[0].total();
        constructors[count] = records[0].constructors();
        unwound[count] = records[0].unwound();
        for (int i = 1; i < records.length; i++) {
            $RecrashStorage[] before = storages[count];
            $RecrashStorage[] more = records[i].storages();
            if (before == null || more == null) {
                continue;
            }
            $RecrashStorage[] all = new $RecrashStorage[before.length + more.length];
            System.arraycopy(before, 0, all, 0, before.length);
            System.arraycopy(more, 0, all, before.length, more.length);
            storages[count] = all;
            totals[count] += records[i].total();
        }
    }

    /** Of an entry: one frame that nothing has left yet. */
    $RecrashChain($RecrashFrames entry) {
        storages[0] = entry.storages();
        totals[0] = 1;
        count = 1;
    }

    /** The record of the innermost cause that has one: it stays the same however often the failure is wrapped. */
    $RecrashFrames innermost() {
        return innermost;
    }

    /** The one that was recognised; null for an entry. */
    Throwable outermost() {
        return throwables[0];
    }

    /** What all throwables together have left, see {@link $RecrashFrames#weight}. */
    int weight() {
        int own = 0;
        for (int site : sites()) {
            own += $RecrashOwnCode.has(site) ? 1 : 0;
        }
        return own == 0 ? total() : own * $RecrashFrames.OWN;
    }

    /** How many frames were left, all throwables together. */
    int total() {
        int total = 0;
        for (int i = 0; i < count; i++) {
            total += totals[i];
        }
        return total;
    }

    private boolean contains(Throwable t) {
        for (int i = 0; i < count; i++) {
            if (throwables[i] == t) {
                return true;
            }
        }
        return false;
    }

    private static Throwable cause(Throwable t) {
        Throwable cause = (Throwable) UNSAFE.getReference(t, CAUSE);
        if (cause == t || cause == null) {
            cause = $RecrashAgent.legacyCause(t);
        }
        return cause;
    }

    private static String message(Throwable t) {
        if (t.getClass() == NullPointerException.class) {
            // The helpful text is computed, not stored; this class is the JDK's own, so no override is called.
            return t.getMessage();
        }
        return (String) UNSAFE.getReference(t, MESSAGE);
    }

    void describe($RecrashBytes out) {
        out.number(count);
        for (int i = 0; i < count; i++) {
            Throwable t = throwables[i];
            // Of an entry there are frames, and nothing was thrown.
            $RecrashReport.throwable(out, t == null ? "" : t.getClass().getName(), t == null ? null : message(t), totals[i]);
            StackTraceElement[] trace = t == null ? null : $RecrashAgent.trace(t);
            out.number(trace == null ? 0 : trace.length);
            for (int j = 0; trace != null && j < trace.length; j++) {
                describe(out, trace[j]);
            }
            describeSites(out, storages[i]);
            describeSites(out, new $RecrashStorage[] {constructors[i]});
        }
    }

    private static void describe($RecrashBytes out, StackTraceElement element) {
        $RecrashReport.element(out, element.getClassName(), element.getMethodName(), element.getFileName(),
                element.getLineNumber(), element.getModuleName());
    }

    private static int frames($RecrashStorage[] storages) {
        int frames = 0;
        for (int s = 0; storages != null && s < storages.length; s++) {
            frames += storages[s] == null ? 0 : storages[s].frames();
        }
        return frames;
    }

    private static void describeSites($RecrashBytes out, $RecrashStorage[] storages) {
        out.number(frames(storages));
        for (int s = 0; storages != null && s < storages.length; s++) {
            $RecrashStorage storage = storages[s];
            for (int frame = 0; storage != null && frame < storage.frames(); frame++) {
                out.number(storage.site(frame));
            }
        }
    }

    /** The sites of all recorded frames, some more than once, in the order of {@link #values}. */
    int[] sites() {
        int[] sites = new int[recorded()];
        int found = 0;
        for (int i = count - 1; i >= 0; i--) {
            for (int s = 0; s <= parts(i); s++) {
                $RecrashStorage storage = part(i, s);
                for (int frame = 0; storage != null && frame < storage.frames(); frame++) {
                    sites[found++] = storage.site(frame);
                }
            }
        }
        return sites;
    }

    /** In the order of {@link #sites}: whether it is a constructor that was inside {@code super(...)}, which has no place there. */
    boolean[] withoutPlace() {
        boolean[] without = new boolean[recorded()];
        int found = 0;
        for (int i = count - 1; i >= 0; i--) {
            for (int s = 0; s <= parts(i); s++) {
                $RecrashStorage storage = part(i, s);
                for (int frame = 0; storage != null && frame < storage.frames(); frame++) {
                    without[found++] = s == parts(i);
                }
            }
        }
        return without;
    }

    /** In the order of {@link #sites}: what each frame put first, which is its receiver unless the method is static. */
    Object[] receivers() {
        Object[] receivers = new Object[recorded()];
        int found = 0;
        for (int i = count - 1; i >= 0; i--) {
            for (int s = 0; s <= parts(i); s++) {
                $RecrashStorage storage = part(i, s);
                for (int frame = 0; storage != null && frame < storage.frames(); frame++) {
                    Object[] references = storage.references(frame);
                    $RecrashEntryState past = $RecrashEntryState.of(references);
                    int own = references.length - (past == null ? 0 : 1);
                    receivers[found++] = own == 0 ? null : references[$RecrashEntryState.first(past)];
                }
            }
        }
        return receivers;
    }

    private int recorded() {
        int frames = 0;
        for (int i = 0; i < count; i++) {
            for (int s = 0; s <= parts(i); s++) {
                frames += part(i, s) == null ? 0 : part(i, s).frames();
            }
        }
        return frames;
    }

    /** How many storages of frames a throwable has. */
    private int parts(int throwable) {
        return storages[throwable] == null ? 0 : storages[throwable].length;
    }

    /** The storages of a throwable's frames, then that of its constructors. */
    private $RecrashStorage part(int throwable, int part) {
        return part == parts(throwable) ? constructors[throwable] : storages[throwable][part];
    }

    /**
     * The values of the frames, root cause first and innermost first, then the throwables: the order of importance.
     * Returns what was different when the frames were entered, in the same order. {@code own} tells of each of {@link #sites}
     * whether it is the application's; it may be null.
     */
    $RecrashChanges values($RecrashBytes out, $RecrashWalker walker, boolean[] own) {
        $RecrashChanges changes = new $RecrashChanges();
        Nearness nearness = new Nearness(walker, own);
        $RecrashReport.contents(out);
        out.number(count);
        for (int i = count - 1; i >= 0; i--) {
            out.number(frames(storages[i]));
            for (int s = 0; storages[i] != null && s < storages[i].length; s++) {
                values(out, walker, storages[i][s], s == 0 ? unwound[i] : null, changes, nearness);
            }
            out.number(constructors[i] == null ? 0 : constructors[i].frames());
            values(out, walker, constructors[i], null, changes, nearness);
        }
        walker.rootsAt(0);
        out.number(count);
        for (int i = 0; i < count; i++) {
            out.number(walker.root(throwables[i]));
        }
        return changes;
    }

    private static void values(
            $RecrashBytes out,
            $RecrashWalker walker,
            $RecrashStorage storage,
            $RecrashUnwound unwound,
            $RecrashChanges changes,
            Nearness nearness) {
        for (int frame = 0; storage != null && frame < storage.frames(); frame++) {
            nearness.next();
            Object[] references = storage.references(frame);
            $RecrashEntryState past = $RecrashEntryState.of(references);
            int own = references.length - (past == null ? 0 : 1);
            int first = $RecrashEntryState.first(past);
            out.number(own);
            for (int i = 0; i < own; i++) {
                out.number(walker.root(references[first + i]));
            }
            int end = storage.firstPrimitive(frame + 1);
            int last = end - (past == null ? 0 : past.primitives());
            int primitives = Math.max(last - storage.firstPrimitive(frame), 0);
            out.number(primitives);
            for (int i = 0; i < primitives; i++) {
                out.number(storage.primitive(storage.firstPrimitive(frame) + i));
            }
            if (unwound != null) {
                unwound.tell(frame, changes);
            }
            // What it was on entry counts more.
            if (past != null) {
                past.tell(last < end ? (int) storage.primitive(last) : 0, changes);
            }
            changes.endFrame();
        }
    }

    /** How near to the application's data the frames are, one after the other. */
    private static final class Nearness {
        private final $RecrashWalker walker;
        private final boolean[] own;
        private int at;
        private boolean outside;

        Nearness($RecrashWalker walker, boolean[] own) {
            this.walker = walker;
            this.own = own;
        }

        void next() {
            boolean ours = own == null || at < own.length && own[at++];
            outside |= ours;
            walker.rootsAt(ours ? 0 : outside ? $RecrashDistances.CALLING : $RecrashDistances.CALLED);
        }
    }
}
