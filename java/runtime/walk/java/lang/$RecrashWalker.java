package java.lang;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.util.Arrays;
import jdk.internal.misc.Unsafe;

/**
 * Turns object graphs into the heap part of a snapshot, breadth-first and within budgets. One instance per snapshot;
 * not thread-safe.
 *
 * <p>Calls no method that a program could have overridden; asks only for identity hashes and class facts.
 */
final class $RecrashWalker {
    private static final Unsafe U = Unsafe.getUnsafe();
    /** No heap part is longer than this: a restore plan has to fit into one array. */
    private static final long MOST_BYTES = 1L << 30;
    private static final long OVERRIDE = $RecrashMemory.offset(java.lang.reflect.AccessibleObject.class, "override");
    /** Programs compare interned names with ==; these bounds keep the look-ups below a few milliseconds. */
    private static final int MOST_INTERNED_LENGTH = 64;
    private static final int MOST_INTERN_CHECKS = 20_000;
    private static final String NO_ROOM = "the program's Java heap had no room for more";
    private static final int FIRST = 1 << 13;
    private static final int CLOCK_INTERVAL = 0x3ff;

    private final Thread failed;
    private final int maxObjects;
    private final long maxBytes;
    private final int maxMillis;
    private final long started = System.nanoTime();

    /** By id; the queue of the walk is the part not yet written. */
    private Object[] objects = new Object[FIRST];
    private int last;
    private int walked;
    /** Ids by identity hash, open addressing. */
    private int[] table = new int[2 * FIRST];
    /**
     * By id: the identity hash, so that growing touches no object; negative (with the highest bit) when the program had,
     * or may have had, asked for it.
     */
    private int[] hashes = new int[FIRST];

    private final $RecrashClasses classes = new $RecrashClasses();
    private final $RecrashPieces out = new $RecrashPieces(1 << 16);

    /** Null where everything that is reached is captured. */
    private final $RecrashDistances distances;
    private int expanded;
    private long farCut;

    private boolean exhausted;
    private boolean collected;
    private int internChecks;
    private String limit;
    private long cutObjects;

    /**
     * {@code failed} is the thread that failed; it is recognised when an object refers to it. {@code whose} tells the
     * application's classes where the walk stays near what is theirs, else it is null.
     */
    $RecrashWalker(int maxObjects, long maxBytes, int maxMillis, Thread failed, $RecrashWhose whose) {
        this.distances = whose == null ? null : new $RecrashDistances(whose);
        this.maxObjects = Math.max(1, maxObjects);
        this.maxBytes = Math.min(maxBytes, MOST_BYTES);
        this.maxMillis = maxMillis;
        this.failed = failed;
    }

    /** The id of an object, which is walked later by {@link #finish}; 0 for null. Roots first come, first served. */
    int root(Object o) {
        if (o == null) {
            return 0;
        }
        return distances == null ? id(o) : meet(o, distances.ofRoot(o));
    }

    /** As {@link #root}; -1 where the budget of what is far has no room for it. */
    int rootIfRoom(Object o) {
        return o == null || find(o) != 0 || distances.affords(o) ? root(o) : -1;
    }

    /** Roots from here on are so far from the application's own data; of no importance where everything is captured. */
    void rootsAt(int distance) {
        if (distances != null) {
            distances.rootsAt(distance);
        }
    }

    /** As {@link #root}, for what an object that was met held once. */
    void formerly(Object holder, Object value) {
        if (value != null && find(value) == 0) {
            if (distances == null) {
                id(value);
                return;
            }
            int distance = distances.from(holder == null ? 0 : distances.of(find(holder)), value);
            if (distance == 0 || distances.affords(value)) {
                meet(value, distance);
            } else {
                cutId(value);
            }
        }
    }

    /** After the walk: the id of an object, or of the record that stands for those of its class that were cut; else 0. */
    int reached(Object o) {
        int id = find(o);
        if (id == 0 && distances != null) {
            $RecrashLayout layout = classes.find(o.getClass());
            return layout == null ? 0 : layout.cut;
        }
        return id;
    }

    /** Walks what is left; the heap part is the concatenation of the pieces. Call once. */
    byte[][] finish() {
        walk();
        return classes.finish(out, last);
    }

    /** Writes the objects that were met and not yet written, and those they lead to. */
    void walk() {
        if (distances != null) {
            measure();
        }
        for (int id = walked + 1; id <= last; id++) {
            if ((id & CLOCK_INTERVAL) == 0) {
                checkClock();
            }
            Object o = objects[id];
            if (o instanceof $RecrashLayout) {
                // The shared record of objects beyond the budget.
                writeHead($RecrashTag.CUT, ($RecrashLayout) o, 0);
            } else if (exhausted) {
                cutObjects++;
                writeHead($RecrashTag.CUT, classes.ofCut(o.getClass()), 0);
            } else {
                write(o, id, classes.of(o.getClass()));
            }
        }
        walked = last;
    }

    /** Meets everything that is near enough, nearest first; writing then finds all that it may refer to. */
    private void measure() {
        for (int id; !exhausted && (id = distances.next()) != 0; ) {
            if ((++expanded & CLOCK_INTERVAL) == 0) {
                checkClock();
            }
            expand(objects[id], distances.of(id));
        }
    }

    private void expand(Object o, int distance) {
        $RecrashLayout layout = classes.of(o.getClass());
        if (layout.tag == $RecrashTag.OBJECT_ARRAY) {
            Object[] array = (Object[]) o;
            for (int i = 0; i < array.length; i++) {
                meetNear(array[i], distance);
            }
        } else if ((layout.tag == $RecrashTag.INSTANCE || layout.tag == $RecrashTag.ENUM)
                && !(layout.maybeWellKnown && classes.wellKnown.find(o) != null)) {
            if (layout.throwable) {
                $RecrashTrace.materialise((Throwable) o);
            }
            for (int i = 0; i < layout.types.length; i++) {
                if (layout.types[i] == 'L') {
                    meetNear(U.getReference(o, layout.offsets[i]), distance);
                }
            }
        }
    }

    private void meetNear(Object o, int holder) {
        if (o == null) {
            return;
        }
        int distance = distances.from(holder, o);
        if (distance == 0 || find(o) != 0 || distances.affords(o)) {
            meet(o, distance);
        }
    }

    private int meet(Object o, int distance) {
        int before = last;
        int id = id(o);
        if (objects[id] == o) {
            if (last != before) {
                distances.met(id, distance);
            } else if (id > walked) {
                distances.nearer(id, distance);
            }
        }
        return id;
    }

    /** The id of what an object refers to. */
    private int referred(Object o) {
        if (distances == null) {
            return id(o);
        }
        int id = find(o);
        if (id == 0) {
            id = cutId(o);
            if (limit == null) {
                cutObjects--;
                farCut++;
            }
        }
        return id;
    }

    /** How many objects were met. */
    int count() {
        return last;
    }

    /** After {@link #finish}: what the budgets cut, in the user's words; empty when the graph is whole. */
    String[] limits() {
        String budget = limit == null ? null : limit + "; " + cutObjects + " objects are shown as cut";
        String far = farCut == 0 ? null : "what is far from the application's own data is left out, at " + farCut
                + " places; --max-objects N captures up to N objects, however far";
        if (budget == null || far == null) {
            return budget == null && far == null ? new String[0] : new String[] {budget == null ? far : budget};
        }
        return new String[] {budget, far};
    }

    /** By id: the arrays that late objects hold, and those in them. Led back, they would not fit what holds them. */
    boolean[] arraysOf($RecrashStaleTypes late) {
        boolean[] found = new boolean[last + 1];
        for (int id = 1; id <= last; id++) {
            Object o = objects[id];
            $RecrashLayout layout = o instanceof $RecrashLayout || !late.is(o.getClass()) ? null : classes.find(o.getClass());
            for (int i = 0; layout != null && i < layout.types.length; i++) {
                if (layout.types[i] == 'L') {
                    addArrays(U.getReference(o, layout.offsets[i]), found);
                }
            }
        }
        return found;
    }

    private void addArrays(Object o, boolean[] found) {
        if (o == null || !o.getClass().isArray()) {
            return;
        }
        int id = find(o);
        if (id == 0 || found[id]) {
            return;
        }
        found[id] = true;
        if (o.getClass().getComponentType().isArray()) {
            for (Object array : (Object[]) o) {
                addArrays(array, found);
            }
        }
    }

    private void write(Object o, int id, $RecrashLayout layout) {
        int hash = hashes[id] < 0 ? hashes[id] & Integer.MAX_VALUE : 0;
        if (layout.maybeWellKnown && writeIfWellKnown(o, layout, hash)) {
            return;
        }
        switch (layout.tag) {
            case $RecrashTag.INSTANCE:
                if (layout.throwable) {
                    $RecrashTrace.materialise((Throwable) o);
                }
                if (room(layout, 9L + layout.bytes)) {
                    writeHead($RecrashTag.INSTANCE, layout, hash);
                    writeFields(o, layout);
                }
                return;
            case $RecrashTag.STRING:
                writeString((String) o, layout, hash);
                return;
            case $RecrashTag.OBJECT_ARRAY:
                Object[] array = (Object[]) o;
                if (room(layout, 13 + 4L * array.length)) {
                    writeHead($RecrashTag.OBJECT_ARRAY, layout, hash);
                    out.put4(array.length);
                    for (int i = 0; i < array.length; i++) {
                        Object element = array[i];
                        out.put4(element == null ? 0 : referred(element));
                    }
                }
                return;
            case $RecrashTag.PRIMITIVE_ARRAY:
                int length = Array.getLength(o);
                long bytes = (long) length << layout.shift;
                if (room(layout, 13 + bytes)) {
                    writeHead($RecrashTag.PRIMITIVE_ARRAY, layout, hash);
                    out.put4(length);
                    out.putRaw(o, layout.base, bytes);
                }
                return;
            default:
                writeRare(o, layout, hash);
        }
    }

    private void writeRare(Object o, $RecrashLayout layout, int hash) {
        switch (layout.tag) {
            case $RecrashTag.BOXED:
                if ($RecrashBoxes.isCached(o)) {
                    if (room(layout, 17)) {
                        writeHead($RecrashTag.BOXED, layout, hash);
                        out.put8($RecrashBoxes.bits(o));
                    }
                } else if (room(layout, 9L + layout.bytes)) {
                    writeHead($RecrashTag.INSTANCE, layout, hash);
                    writeFields(o, layout);
                }
                return;
            case $RecrashTag.ENUM:
                String constant = ((Enum<?>) o).name();
                if (room(layout, 9L + $RecrashPieces.textBytes(constant) + layout.bytes)) {
                    writeHead($RecrashTag.ENUM, layout, hash);
                    out.putText(constant);
                    writeFields(o, layout);
                }
                return;
            case $RecrashTag.CLASS:
                String name = ((Class<?>) o).getName();
                if (room(layout, 9L + $RecrashPieces.textBytes(name))) {
                    writeHead($RecrashTag.CLASS, layout, hash);
                    out.putText(name);
                }
                return;
            case $RecrashTag.MEMBER:
                writeMember((Member) o, layout, hash);
                return;
            case $RecrashTag.STAND_IN:
                int reason = layout.reason == $RecrashTag.OTHER_THREAD && o == failed
                        ? $RecrashTag.CRASHING_THREAD : layout.reason;
                String text = $RecrashStandIn.describe(o, reason);
                if (room(layout, 10L + $RecrashPieces.textBytes(text))) {
                    writeHead($RecrashTag.STAND_IN, layout, hash);
                    out.put1(reason);
                    out.putText(text);
                }
                return;
            default:
                writeHead($RecrashTag.CUT, layout, 0);
        }
    }

    private void writeFields(Object o, $RecrashLayout layout) {
        byte[] types = layout.types;
        long[] offsets = layout.offsets;
        for (int i = 0; i < types.length; i++) {
            long offset = offsets[i];
            switch (types[i]) {
                case 'L':
                    Object value = U.getReference(o, offset);
                    out.put4(value == null ? 0 : referred(value));
                    break;
                case 'I':
                case 'F':
                    out.put4(U.getInt(o, offset));
                    break;
                case 'J':
                case 'D':
                    out.put8(U.getLong(o, offset));
                    break;
                case 'Z':
                case 'B':
                    out.put1(U.getByte(o, offset));
                    break;
                default:
                    out.put2(U.getShort(o, offset));
                    break;
            }
        }
    }

    private void writeString(String s, $RecrashLayout layout, int hash) {
        byte[] value = s.value();
        if (room(layout, 14L + value.length)) {
            writeHead($RecrashTag.STRING, layout, hash);
            out.put1(s.coder() | (isInterned(s) ? 2 : 0));
            out.put4(value.length);
            out.putBytes(value, value.length);
        }
    }

    /** Asked with a copy, so that the string itself does not become the interned one by asking. */
    private boolean isInterned(String s) {
        if (s.length() > MOST_INTERNED_LENGTH || internChecks >= MOST_INTERN_CHECKS) {
            return false;
        }
        internChecks++;
        return new String(s).intern() == s;
    }

    private boolean writeIfWellKnown(Object o, $RecrashLayout layout, int hash) {
        if (layout.type.isArray() && Array.getLength(o) != 0) {
            return false;
        }
        Field field = classes.wellKnown.find(o);
        if (field == null) {
            return false;
        }
        $RecrashLayout owner = classes.of(field.getDeclaringClass());
        if (room(layout, 17L + $RecrashPieces.textBytes(field.getName()))) {
            writeHead($RecrashTag.WELL_KNOWN, layout, hash);
            out.put4(owner.index);
            out.putText(field.getName());
        }
        return true;
    }

    private void writeMember(Member member, $RecrashLayout layout, int hash) {
        String descriptor = $RecrashLambda.descriptor(member);
        String name = member instanceof Constructor ? "<init>" : member.getName();
        String owner = member.getDeclaringClass().getName();
        if (room(layout, 10L + $RecrashPieces.textBytes(owner) + $RecrashPieces.textBytes(name)
                + $RecrashPieces.textBytes(descriptor))) {
            writeHead($RecrashTag.MEMBER, layout, hash);
            out.put1(OVERRIDE < 0 ? 0 : U.getByte(member, OVERRIDE));
            out.putText(owner);
            out.putText(name);
            out.putText(descriptor);
        }
    }

    private void writeHead(byte tag, $RecrashLayout layout, int hash) {
        out.reserve(9);
        if (hash == 0) {
            out.put1(tag);
            out.put4(layout.index);
        } else {
            out.put1(tag | $RecrashTag.HAS_HASH);
            out.put4(layout.index);
            out.put4(hash);
        }
    }

    /** Reserves a record's bytes; writes the object as cut and says no when the budget has not that many left. */
    private boolean room($RecrashLayout layout, long bytes) {
        if (!out.fits(bytes)) {
            if (out.length() + bytes > maxBytes) {
                cut("the budget of " + (maxBytes >> 20) + " MB was reached");
            } else if (!hasMemory(Math.max(bytes, $RecrashPieces.PIECE)) || !reserve((int) bytes)) {
                cut(NO_ROOM);
            } else {
                return true;
            }
            cutObjects++;
            writeHead($RecrashTag.CUT, layout, 0);
            return false;
        }
        return true;
    }

    /** The id of an object that was met; 0 for others. */
    int find(Object o) {
        // Whatever was met has a hash by now, and what has none must not get one.
        if ($RecrashMemory.hashed(U.getLong(o, 0L)) == 0) {
            return 0;
        }
        int hash = System.identityHashCode(o);
        int mask = table.length - 1;
        int slot = (hash ^ hash >>> 15) & mask;
        int id;
        while ((id = table[slot]) != 0 && objects[id] != o) {
            slot = slot + 1 & mask;
        }
        return id;
    }

    /** The id of an object, new ones at the end of the queue. */
    private int id(Object o) {
        long mark = U.getLong(o, 0L);
        int hash = System.identityHashCode(o);
        int[] table = this.table;
        int mask = table.length - 1;
        int slot = (hash ^ hash >>> 15) & mask;
        int id;
        while ((id = table[slot]) != 0) {
            if (objects[id] == o) {
                return id;
            }
            slot = slot + 1 & mask;
        }
        return add(o, hash, mark, slot);
    }

    private int add(Object o, int hash, long mark, int slot) {
        if (exhausted || last >= maxObjects) {
            if (limit == null) {
                limit = "the budget of " + maxObjects + " objects was reached";
            }
            return cutId(o);
        }
        if (last + 1 == objects.length) {
            if (!hasMemory(32L * objects.length) || !grow()) {
                cut(NO_ROOM);
                return cutId(o);
            }
            slot = freeSlot(hash);
        }
        int id = ++last;
        objects[id] = o;
        table[slot] = id;
        hashes[id] = $RecrashMemory.hashed(mark) != 0 ? hash | Integer.MIN_VALUE : hash;
        return id;
    }

    private boolean reserve(int bytes) {
        try {
            out.reserve(bytes);
            return true;
        } catch (OutOfMemoryError full) {
            return false;
        }
    }

    /** Doubles the room; leaves all as it is when there is none. */
    private boolean grow() {
        try {
            int size = objects.length * 2;
            Object[] moreObjects = Arrays.copyOf(objects, size);
            int[] moreHashes = Arrays.copyOf(hashes, size);
            int[] moreSlots = new int[size * 2];
            objects = moreObjects;
            hashes = moreHashes;
            table = moreSlots;
        } catch (OutOfMemoryError full) {
            return false;
        }
        for (int id = 1; id <= last; id++) {
            table[freeSlot(hashes[id] & Integer.MAX_VALUE)] = id;
        }
        return true;
    }

    private int freeSlot(int hash) {
        int mask = table.length - 1;
        int slot = (hash ^ hash >>> 15) & mask;
        while (table[slot] != 0) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    /** One record stands for all objects of a class beyond the budget; 0 when there is no room even for that. */
    private int cutId(Object o) {
        cutObjects++;
        $RecrashLayout layout = classes.ofCut(o.getClass());
        if (layout.cut == 0) {
            if (last + 1 == objects.length) {
                if (!hasMemory(32L * objects.length) || !grow()) {
                    return 0;
                }
            }
            layout.cut = ++last;
            objects[last] = layout;
            hashes[last] = System.identityHashCode(layout);
            table[freeSlot(hashes[last])] = last;
        }
        return layout.cut;
    }

    private void cut(String why) {
        exhausted = true;
        if (limit == null) {
            limit = why;
        }
    }

    private void checkClock() {
        if (!exhausted && System.nanoTime() - started > maxMillis * 1_000_000L) {
            cut("the budget of " + maxMillis + " ms was reached");
        }
    }

    /** Whether the Java heap can give {@code bytes} without pushing the program towards an OutOfMemoryError. */
    private boolean hasMemory(long bytes) {
        Runtime runtime = Runtime.getRuntime();
        // Free memory may lie in pieces, and the program needs some to go on.
        long wanted = 2 * bytes + (4 << 20) + Math.min(runtime.maxMemory() / 8, 64 << 20);
        if (runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory() >= wanted) {
            return true;
        }
        if (!collected) {
            // After an OutOfMemoryError the heap is mostly garbage that nobody has counted yet.
            collected = true;
            runtime.gc();
            return hasMemory(bytes);
        }
        return false;
    }
}
