package java.lang;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which live objects stand for captured ones and take over their state. */
final class $RecrashBinding {
    private static final int MOST = 200_000;

    private final $RecrashRevival revival;
    private final $RecrashPlan plan;
    private final ClassLoader loader;
    private final $RecrashRestoreNotes notes;
    private final $RecrashRepairs finish;
    /** Each live object stands for one captured object at most. */
    private final Set<Object> taken = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Ids whose references are still to be followed. */
    private final List<Integer> waiting = new ArrayList<>();

    $RecrashBinding($RecrashRevival revival, $RecrashPlan plan, ClassLoader loader, $RecrashRestoreNotes notes,
            $RecrashRepairs finish) {
        this.revival = revival;
        this.plan = plan;
        this.loader = loader;
        this.notes = notes;
        this.finish = finish;
    }

    /**
     * Lets {@code live} be the object {@code id}, when it is of the same class and kind, and likewise what it refers to:
     * so streams, threads and locks that a snapshot cannot hold stay those that work here.
     */
    void bind(int id, Object live) {
        if (revival.object(id) != null || !revival.isNeeded(id) || taken.size() >= MOST || !mayTakeOver(live)
                || !taken.add(live)) {
            return;
        }
        int saved = plan.at;
        $RecrashShape shape = revival.open(id);
        int tag = revival.tag(id);
        boolean same = isSame(shape, tag, live);
        plan.at = saved;
        if (!same) {
            taken.remove(live);
            return;
        }
        revival.bind(id, live);
        if (tag == $RecrashTag.INSTANCE) {
            if (shape.finish != 0) {
                finish.laterForLive(live, shape.finish);
            }
            if (!$RecrashOpaque.isJdk(live.getClass())) {
                waiting.add(id);
            }
        }
    }

    /** Whether the record at the plan's position can describe {@code live}. */
    private boolean isSame($RecrashShape shape, int tag, Object live) {
        Class<?> type = live.getClass();
        switch (tag) {
            case $RecrashTag.INSTANCE:
                shape.resolve(loader, notes);
                return shape.live == type && shape.allocatable || shape.live != null && shape.lambda != null
                        && type.isHidden() && shape.lambda.sameAs($RecrashLambda.of(type)) && shape.becomes(type);
            case $RecrashTag.OBJECT_ARRAY:
            case $RecrashTag.PRIMITIVE_ARRAY:
                return shape.resolve(loader, notes).live == type && Array.getLength(live) == plan.u4();
            case $RecrashTag.STRING:
                return type == String.class && plan.string().equals(live);
            case $RecrashTag.STAND_IN:
            case $RecrashTag.CUT:
                return true;
            default:
                return false;
        }
    }

    /** Goes on from what {@link #bind} accepted, field by field. */
    void bindReferences() {
        while (!waiting.isEmpty()) {
            int id = waiting.remove(waiting.size() - 1);
            Object live = revival.object(id);
            $RecrashShape shape = revival.open(id);
            shape.map(loader, notes);
            for (int i = 0; i < shape.types.length; i++) {
                if (shape.types[i] != 'L') {
                    plan.skip($RecrashShape.width((char) shape.types[i]));
                    continue;
                }
                int target = plan.u4();
                Object value = target == 0 ? null : $RecrashMemory.reference(live, shape.offsets[i]);
                if (value != null) {
                    bind(target, value);
                }
            }
        }
    }

    /**
     * The program's own objects, and those of the JDK that a program keeps state in. Values of the JDK (a Locale, a
     * date) may be shared with the whole JVM, so they are never overwritten.
     */
    private static boolean mayTakeOver(Object live) {
        Class<?> type = live.getClass();
        if (live == System.getProperties()) {
            return false;
        }
        if ($RecrashScopedValues.isOne(live)) {
            return true;
        }
        if (type.isArray() || !$RecrashOpaque.isJdk(type) || type == Object.class || type == String.class
                || $RecrashOpaque.reason(type) != 0) {
            return true;
        }
        String name = type.getName();
        if (name.startsWith("java.util.concurrent.")) {
            return true;
        }
        return name.startsWith("java.util.") && !name.startsWith("java.util.ImmutableCollections")
                && (live instanceof Collection || live instanceof Map || type == java.util.BitSet.class
                        || type == java.util.Random.class)
                || live instanceof ThreadLocal || live instanceof AbstractStringBuilder;
    }
}
