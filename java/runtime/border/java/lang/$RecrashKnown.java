package java.lang;

import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;

/**
 * The objects that have crossed, and their numbers. None is kept alive.
 *
 * <p>To ask for an identity hash would change those that the program sees later, so objects are found by their addresses,
 * and looked for anew when a collection may have moved them, which the agent counts. Where a collector moves objects while
 * the program runs, hashes it must be.
 */
final class $RecrashKnown {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long ELEMENT = $RecrashArrays.base(Object[].class);

    private static int[] keys = new int[1 << 10];
    private static $RecrashKnown.Entry[] entries = new $RecrashKnown.Entry[1 << 10];
    private static int count;
    private static long epoch;
    /** Where the agent counts; 0 where addresses cannot be used. */
    private static long counter;
    private static final Object[] HOLDER = new Object[1];

    private $RecrashKnown() {}

    /** An object and its number. */
    private static final class Entry extends WeakReference<Object> {
        final int number;

        Entry(Object o, int number) {
            super(o);
            this.number = number;
        }
    }

    static void start(long counter) {
        boolean narrow = Unsafe.ARRAY_OBJECT_INDEX_SCALE == 4;
        $RecrashKnown.counter = narrow && collectsInPauses() ? counter : 0;
        epoch = epoch();
    }

    private static boolean collectsInPauses() {
        String[] arguments = jdk.internal.misc.VM.getRuntimeArguments();
        for (int i = 0; arguments != null && i < arguments.length; i++) {
            if (arguments[i].equals("-XX:+UseShenandoahGC") || arguments[i].equals("-XX:+UseZGC")) {
                return false;
            }
        }
        return true;
    }

    private static long epoch() {
        return counter == 0 ? 0 : U.getLongVolatile(null, counter);
    }

    private static int key(Object o) {
        if (counter == 0) {
            return System.identityHashCode(o);
        }
        HOLDER[0] = o;
        return U.getInt(HOLDER, ELEMENT);
    }

    private static int slot(int key, int length) {
        int hash = key * 0x9e3779b9;
        return (hash ^ hash >>> 15) & length - 1;
    }

    static boolean has(Object o) {
        if (o == null) {
            return false;
        }
        synchronized ($RecrashLog.LOCK) {
            return find(o) >= 0;
        }
    }

    /** The number of an object, which it gets if it has none; then its content is put into the queue. */
    static int number(Object o, $RecrashSide side, boolean fromInside, $RecrashContentQueue queue) {
        synchronized ($RecrashLog.LOCK) {
            int found = find(o);
            if (found >= 0) {
                return found;
            }
            int kind = kind(side, fromInside);
            int number = $RecrashLog.object(side.number(), kind);
            add(o, number);
            boolean kept = side.form != $RecrashSide.PLAIN
                    && (side.form != $RecrashSide.FIELDS || kind == $RecrashLogTag.KIND_NEUTRAL);
            if (kept) {
                queue.add(o, number, side);
            }
            return number;
        }
    }

    private static int kind($RecrashSide side, boolean fromInside) {
        if (side.side == $RecrashLogTag.SIDE_INSIDE) {
            return $RecrashLogTag.KIND_INSIDE;
        }
        if (side.side == $RecrashLogTag.SIDE_OUTSIDE) {
            return $RecrashLogTag.KIND_OUTSIDE;
        }
        switch (side.form) {
            case $RecrashSide.PLAIN:
                return fromInside ? $RecrashLogTag.KIND_INSIDE : $RecrashLogTag.KIND_OUTSIDE;
            case $RecrashSide.FIELDS:
                return fromInside ? $RecrashLogTag.KIND_INSIDE : $RecrashLogTag.KIND_NEUTRAL;
            default:
                return $RecrashLogTag.KIND_NEUTRAL;
        }
    }

    private static int find(Object o) {
        while (true) {
            long now = epoch();
            if (now != epoch) {
                rebuild(entries.length);
                continue;
            }
            int key = key(o);
            int slot = slot(key, keys.length);
            int found = -1;
            for (Entry entry = entries[slot]; entry != null; entry = entries[slot]) {
                if (keys[slot] == key && entry.get() == o) {
                    found = entry.number;
                    break;
                }
                slot = slot + 1 & keys.length - 1;
            }
            if (epoch() == now) {
                HOLDER[0] = null;
                return found;
            }
        }
    }

    private static void add(Object o, int number) {
        if (count * 2 >= entries.length) {
            rebuild(entries.length * 2);
        }
        Entry entry = new Entry(o, number);
        while (true) {
            long now = epoch();
            if (now != epoch) {
                rebuild(entries.length);
                continue;
            }
            int key = key(o);
            if (epoch() == now) {
                place(keys, entries, key, entry);
                count++;
                HOLDER[0] = null;
                return;
            }
        }
    }

    private static void place(int[] keys, Entry[] entries, int key, Entry entry) {
        int slot = slot(key, keys.length);
        while (entries[slot] != null) {
            slot = slot + 1 & keys.length - 1;
        }
        keys[slot] = key;
        entries[slot] = entry;
    }

    /** Puts all that are still there where they belong now. */
    private static void rebuild(int length) {
        while (true) {
            long now = epoch();
            int[] newKeys = new int[length];
            Entry[] newEntries = new Entry[length];
            int alive = 0;
            for (int i = 0; i < entries.length; i++) {
                Object o = entries[i] == null ? null : entries[i].get();
                if (o != null) {
                    place(newKeys, newEntries, key(o), entries[i]);
                    alive++;
                }
            }
            HOLDER[0] = null;
            if (epoch() == now) {
                keys = newKeys;
                entries = newEntries;
                count = alive;
                epoch = now;
                return;
            }
        }
    }
}
