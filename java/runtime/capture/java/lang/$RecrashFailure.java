package java.lang;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.HashSet;

/**
 * A failure: recognised, described, walked, handed to the agent to be written down.
 *
 * <p>Runs on the thread that failed, after its frames are gone, and calls no method that the program could have
 * overridden.
 */
final class $RecrashFailure {
    /** Of a program with more classes than this, the static fields of libraries are not looked at while it waits. */
    private static final int FEW_CLASSES = 2_000;

    private final Thread thread;
    private final $RecrashChain chain;
    private final int kind;
    /** Keys and values of the thread's locals, of its own and of those it inherited. */
    private final Object[][] locals;

    private $RecrashFailure(Thread thread, $RecrashChain chain, int kind) {
        this.thread = thread;
        this.chain = chain;
        this.kind = kind;
        locals = new Object[][] {
            withScoped($RecrashStatics.threadLocals(thread, false)), $RecrashStatics.threadLocals(thread, true),
        };
    }

    /**
     * Captures a failure of a kind that {@link $RecrashFailureKind} names, unless it is known. {@code begun}, where given, is
     * the record of an exception that is just leaving its first frame. False when there was no chance to find out.
     */
    static boolean recognised(Thread thread, Throwable t, int kind, $RecrashFrames begun) {
        if (!$RecrashAgent.listening() || t == null || thread == null || isThreadDeath(t)) {
            return false;
        }
        $RecrashThread here = $RecrashThread.current();
        if (here.capturing || here.reported != null && here.reported.refersTo(t)) {
            return false;
        }
        return capture(here, thread, t, kind, begun);
    }

    /** Whether it is known by now, captured or found to be one that was. */
    static boolean isReported(Throwable t) {
        $RecrashThread here = $RecrashThread.current();
        return here.capturing || $RecrashReportedFailure.find(new $RecrashChain(here, t, null).innermost()) != null;
    }

    /** Captures the entry into a method, where nothing has failed yet. */
    static void entered(Thread thread, $RecrashFrames entry) {
        $RecrashThread here = $RecrashThread.current();
        if ($RecrashAgent.listening() && !here.capturing) {
            capture(here, thread, null, $RecrashFailureKind.ENTRY, entry);
        }
    }

    /** {@code t} is null for an entry, the record of which is {@code begun}. */
    private static boolean capture(
            $RecrashThread here, Thread thread, Throwable t, int kind, $RecrashFrames begun) {
        // A program that goes on must not wait for recrash: the failure will come again.
        boolean goesOn = $RecrashFailureRank.of(kind) < $RecrashFailureRank.of($RecrashFailureKind.UNCAUGHT);
        here.capturing = true;
        if (here.journal != null) {
            $RecrashJournal.pause(here);
        }
        if (!goesOn) {
            $RecrashAgent.useHeadroom();
        }
        try {
            if (!$RecrashAgent.begin(!goesOn)) {
                if (goesOn && begun == null) {
                    return $RecrashWaiting.add(new $RecrashFailure(thread, chain(here, t, null), kind));
                }
                if (!goesOn) {
                    $RecrashAgent.say(name(t) + " was not captured: another capture took too long");
                }
                return false;
            }
            try {
                if (!goesOn && t != null) {
                    here.reported = new WeakReference<Throwable>(t);
                }
                new $RecrashFailure(thread, chain(here, t, begun), kind).capture();
                return true;
            } catch (OutOfMemoryError full) {
                $RecrashAgent.say(name(t) + " was not captured: the Java heap is full");
            } finally {
                $RecrashAgent.end();
            }
        } catch (Throwable trouble) {
            $RecrashAgent.say(name(t) + " was not captured: " + trouble.getClass().getName());
        } finally {
            if (here.paused != null) {
                $RecrashJournal.resume(here);
            }
            here.capturing = false;
        }
        return true;
    }

    /** Called on a thread of recrash's own. */
    void captureLater() {
        try {
            if (!$RecrashAgent.beginExpected()) {
                $RecrashAgent.say(name(chain.outermost()) + " was not captured: another capture took too long");
                return;
            }
            try {
                capture();
            } finally {
                $RecrashAgent.end();
            }
        } catch (Throwable trouble) {
            $RecrashAgent.say(name(chain.outermost()) + " was not captured: " + trouble.getClass().getName());
        }
    }

    private static $RecrashChain chain($RecrashThread here, Throwable t, $RecrashFrames begun) {
        if (t == null) {
            return new $RecrashChain(begun);
        }
        return new $RecrashChain(here, t, begun == null ? null : $RecrashStack.whole(t, begun));
    }

    private static String name(Throwable t) {
        return t == null ? "an entry" : t.getClass().getName();
    }

    /** The one throwable the JVM itself ignores. By name, because the class is marked for removal. */
    private static boolean isThreadDeath(Throwable t) {
        return t.getClass().getName().equals("java.lang.ThreadDeath");
    }

    private void capture() {
        int rank = $RecrashFailureRank.of(kind);
        int weight = chain.weight();
        $RecrashReportedFailure before = $RecrashReportedFailure.find(chain.innermost());
        if (before != null && before.covers(weight, rank)) {
            return;
        }
        $RecrashBytes description = new $RecrashBytes();
        int known = before == null ? 0 : before.number;
        $RecrashReport.description(description, kind, $RecrashReportedFailure.nextNumber(), known, thread.getName(),
                $RecrashThread.id(thread), thread.isDaemon(), $RecrashThread.isVirtual(thread));
        chain.describe(description);
        String[] reads = $RecrashAgent.wanted(description.finish());
        if (reads == null) {
            $RecrashReportedFailure.addKnown(chain.innermost(), weight, rank);
            return;
        }
        $RecrashReportedFailure.add(chain.innermost(), weight, rank);
        if (rank == 1 || kind == $RecrashFailureKind.WEB) {
            $RecrashRateLimit.spend();
        }
        try {
            store(reads, $RecrashAgent.maxObjects(), $RecrashAgent.maxBytes());
        } catch (OutOfMemoryError full) {
            // What the first attempt allocated is garbage now; a small part of the graph is better than none.
            store(reads, 2_000, 1L << 20);
        }
    }

    private void store(String[] reads, int maxObjects, long maxBytes) {
        Runtime runtime = Runtime.getRuntime();
        long free = runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
        // The walker needs a table and a copy; more than half of what is left would make the program's own handlers fail.
        long bytes = Math.min(maxBytes, free / 4);
        int objects = (int) Math.min(maxObjects, Math.max(free / 256, 1_000));
        Class<?>[][] known = $RecrashAgent.classes(chain.sites(), reads);
        Class<?>[] classes = ofReceivers(known[0]);
        $RecrashWhose whose = new $RecrashWhose();
        boolean[] own = $RecrashAgent.near() ? $RecrashOwnFrames.of(classes, chain.withoutPlace(), whose) : null;
        $RecrashWalker walker = new $RecrashWalker(
                objects, bytes, $RecrashAgent.maxMillis(), thread, own == null ? null : whose);
        $RecrashBytes out = new $RecrashBytes();
        $RecrashChanges changes = chain.values(out, walker, own);
        sources(out, classes);
        boolean all = own == null || known[1].length <= FEW_CLASSES;
        statics(out, walker, reads, known[all ? 1 : 2], own == null ? null : known[2]);
        $RecrashEnvironment.write(out, known[1]);
        do {
            walker.walk();
        } while (changes.reach(walker));
        byte[][] heap = walker.finish();
        String[] limits = walker.limits();
        out.number(limits.length + (changes.limit() == null ? 0 : 1));
        for (String limit : limits) {
            out.text(limit);
        }
        if (changes.limit() != null) {
            out.text(changes.limit());
        }
        changes.write(out, walker);
        $RecrashAgent.store(out.finish(), heap);
    }

    /** The classes of the recorded frames, in the order of the frames' sites. */
    private Class<?>[] ofReceivers(Class<?>[] classes) {
        Object[] receivers = chain.receivers();
        for (int i = 0; i < classes.length; i++) {
            classes[i] = ofReceiver(receivers[i], classes[i]);
        }
        return classes;
    }

    /** Where they were loaded from. */
    private void sources($RecrashBytes out, Class<?>[] classes) {
        int[] sites = chain.sites();
        out.number(sites.length);
        for (int i = 0; i < sites.length; i++) {
            $RecrashReport.source(out, sites[i], $RecrashPlaces.of(classes[i]));
        }
    }

    /** Several loaders may have a class of that name; where there is a receiver, it knows which one ran. */
    private static Class<?> ofReceiver(Object receiver, Class<?> found) {
        if (receiver == null || found == null) {
            return found;
        }
        for (Class<?> type = receiver.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(found.getName())) {
                return type;
            }
        }
        return found;
    }

    /**
     * The static fields that the frames read come first, then the thread's locals, then every other static field. Where
     * {@code near} classes are given, the fields of others count as far as there is room when all else was walked.
     */
    private void statics(
            $RecrashBytes out, $RecrashWalker walker, String[] reads, Class<?>[] loaded, Class<?>[] near) {
        $RecrashStatics statics = $RecrashStatics.of(loaded);
        walker.rootsAt($RecrashDistances.CALLED);
        HashSet<String> first = names(reads);
        int[] ids = new int[statics.count];
        for (int i = 0; i < statics.count; i++) {
            if (first.contains(statics.classes[i].concat(".").concat(statics.fields[i]))) {
                ids[i] = walker.root(statics.references[i]);
            }
        }
        for (int i = 0; i < locals.length; i++) {
            threadLocals(out, walker, locals[i]);
        }
        HashSet<String> nearClasses = near == null ? null : new HashSet<String>();
        for (int i = 0; near != null && i < near.length; i++) {
            nearClasses.add(near[i].getName());
        }
        for (int i = 0; i < statics.count; i++) {
            if (ids[i] == 0 && (near == null || nearClasses.contains(statics.classes[i]))) {
                ids[i] = walker.root(statics.references[i]);
            }
        }
        int count = near == null ? statics.count : others(walker, statics, ids, nearClasses);
        out.number(count);
        for (int i = 0; i < statics.count; i++) {
            if (ids[i] >= 0) {
                $RecrashReport.staticField(out, statics.classes[i], statics.fields[i], statics.descriptors[i],
                        statics.finals[i], ids[i], statics.bits[i]);
            }
        }
    }

    /** Static fields of libraries: -1 for those that are left to the JVM of the test. How many fields there are of all. */
    private static int others(
            $RecrashWalker walker, $RecrashStatics statics, int[] ids, HashSet<String> nearClasses) {
        walker.walk();
        walker.rootsAt($RecrashDistances.ELSEWHERE);
        int count = statics.count;
        for (int i = 0; i < statics.count; i++) {
            if (ids[i] == 0 && !nearClasses.contains(statics.classes[i])) {
                ids[i] = walker.rootIfRoom(statics.references[i]);
                count -= ids[i] < 0 ? 1 : 0;
            }
        }
        return count;
    }

    private static HashSet<String> names(String[] reads) {
        HashSet<String> names = new HashSet<String>();
        for (String read : reads) {
            names.add(read);
        }
        return names;
    }

    private static void threadLocals($RecrashBytes out, $RecrashWalker walker, Object[] locals) {
        int count = 0;
        for (int i = 0; i < locals.length; i += 2) {
            count += locals[i] instanceof $RecrashLocal ? 0 : 1;
        }
        out.number(count);
        for (int i = 0; i < locals.length; i += 2) {
            if (!(locals[i] instanceof $RecrashLocal)) {
                $RecrashReport.pair(out, walker.root(locals[i]), walker.root(locals[i + 1]));
            }
        }
    }

    /** Scoped values follow, as they were bound where the exception comes from: by now the program has left that scope. */
    private Object[] withScoped(Object[] locals) {
        Object bindings = chain.innermost() == null ? null : chain.innermost().scoped();
        if (bindings == null) {
            bindings = $RecrashScopedValues.of(thread);
        }
        if (bindings == null) {
            return locals;
        }
        Object[] scoped = $RecrashScopedValues.pairs(bindings);
        Object[] all = Arrays.copyOf(locals, locals.length + scoped.length);
        System.arraycopy(scoped, 0, all, locals.length, scoped.length);
        return all;
    }
}
