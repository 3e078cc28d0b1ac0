package java.lang;

import java.util.Arrays;

/**
 * Objects by identity, numbered as they come. As long as they are few, nobody is asked for an identity hash: the first to
 * ask changes the object, and the hashes that the program sees later.
 */
final class $RecrashIdentities {
    private static final int FEW = 16;

    /** From so many on hashes are asked for. */
    private final int few;
    private Object[] objects = new Object[FEW / 2];
    private int count;
    /** Open addressing: numbers plus one; null while there are few. */
    private int[] table;

    $RecrashIdentities() {
        this(FEW);
    }

    $RecrashIdentities(int few) {
        this.few = few;
    }

    int count() {
        return count;
    }

    Object get(int number) {
        return objects[number];
    }

    boolean contains(Object o) {
        return find(o) >= 0;
    }

    /** False when it is here already. */
    boolean add(Object o) {
        if (find(o) >= 0) {
            return false;
        }
        if (count == objects.length) {
            objects = Arrays.copyOf(objects, count * 2);
        }
        if (count >= few && (table == null || count * 2 >= table.length)) {
            int[] larger = new int[count * 4];
            for (int i = 0; i < count; i++) {
                larger[free(larger, objects[i])] = i + 1;
            }
            table = larger;
        }
        if (table != null) {
            table[free(table, o)] = count + 1;
        }
        objects[count++] = o;
        return true;
    }

    private int find(Object o) {
        if (table == null) {
            for (int i = 0; i < count; i++) {
                if (objects[i] == o) {
                    return i;
                }
            }
            return -1;
        }
        int found = table[free(table, o)];
        return found - 1;
    }

    /** Where the object is, or else where it would go. */
    private int free(int[] table, Object o) {
        int hash = System.identityHashCode(o);
        int mask = table.length - 1;
        int slot = (hash ^ hash >>> 15) & mask;
        while (table[slot] != 0 && objects[table[slot] - 1] != o) {
            slot = slot + 1 & mask;
        }
        return slot;
    }
}
