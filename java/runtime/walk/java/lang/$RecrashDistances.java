package java.lang;

import java.lang.reflect.Array;
import java.util.Arrays;

/**
 * How far objects are from the application's own data, and which of them are visited next: the nearest. Own objects and those
 * of the JDK are as far as what holds them, objects of libraries one step farther. What is a step or more away shares a
 * budget, so that a framework's contexts and registries, which lead to everything, end up as opaque things with a name.
 */
final class $RecrashDistances {
    /** What is farther counts as no farther. */
    private static final int FARTHEST = 15;
    /** Frames of libraries that the application has called, and frames of those that have called it. */
    static final int CALLED = 1;
    static final int CALLING = 2;
    /** What no frame is known to use. */
    static final int ELSEWHERE = 3;
    /** Objects of libraries, and what they hold. */
    private static final int MOST_OBJECTS = 3_000;
    private static final int MOST_BYTES = 128 << 10;
    private static final int MOST_BYTES_OF_ONE = 4 << 10;
    /** Steps to a class loader or a thread of a library, from which everything can be reached. */
    private static final int TO_THE_WORLD = 3;

    private final $RecrashWhose whose;
    private byte[] distances = new byte[1 << 12];
    private final int[][] queues = new int[FARTHEST + 1][256];
    private final int[] heads = new int[FARTHEST + 1];
    private final int[] tails = new int[FARTHEST + 1];
    private int root;
    private int objectsLeft = MOST_OBJECTS;
    private int bytesLeft = MOST_BYTES;

    $RecrashDistances($RecrashWhose whose) {
        this.whose = whose;
    }

    /** Roots that are not the application's own are so far away from here on. */
    void rootsAt(int distance) {
        root = distance;
    }

    int ofRoot(Object o) {
        Class<?> type = o.getClass();
        if (whose.isOwn(type)) {
            return 0;
        }
        return type.isArray() || $RecrashOpaque.isJdk(type) ? root : Math.max(root, 1);
    }

    /** The distance of what an object at {@code holder} refers to. */
    int from(int holder, Object o) {
        Class<?> type = o.getClass();
        if (type.isArray() || $RecrashOpaque.isJdk(type) || whose.isOwn(type)) {
            return holder;
        }
        return Math.min(FARTHEST, holder + (o instanceof ClassLoader || o instanceof Thread ? TO_THE_WORLD : 1));
    }

    /** Whether there is room for one more object away from the application's own; takes it. */
    boolean affords(Object o) {
        int bytes = 16;
        Class<?> type = o.getClass();
        if (type == String.class) {
            bytes += ((String) o).value().length;
        } else if (type.isArray()) {
            Class<?> component = type.getComponentType();
            bytes += Array.getLength(o) << (component.isPrimitive() ? $RecrashFieldType.shiftOf(component) : 2);
        }
        if (objectsLeft == 0 || bytes > MOST_BYTES_OF_ONE || bytes > bytesLeft) {
            return false;
        }
        objectsLeft--;
        bytesLeft -= bytes;
        return true;
    }

    int of(int id) {
        return id < distances.length ? distances[id] : FARTHEST;
    }

    /** An object was met for the first time. */
    void met(int id, int distance) {
        if (id >= distances.length) {
            distances = Arrays.copyOf(distances, Math.max(id + 1, distances.length * 2));
        }
        distances[id] = (byte) distance;
        await(id, distance);
    }

    /** An object was met again, on another way. */
    void nearer(int id, int distance) {
        if (distance < distances[id]) {
            distances[id] = (byte) distance;
            await(id, distance);
        }
    }

    private void await(int id, int distance) {
        if (tails[distance] == queues[distance].length) {
            queues[distance] = Arrays.copyOf(queues[distance], tails[distance] * 2);
        }
        queues[distance][tails[distance]++] = id;
    }

    /** The nearest object that waits; 0 when none does. */
    int next() {
        for (int distance = 0; distance <= FARTHEST; distance++) {
            while (heads[distance] < tails[distance]) {
                int id = queues[distance][heads[distance]++];
                if (distances[id] == distance) {
                    return id;
                }
            }
        }
        return 0;
    }
}
