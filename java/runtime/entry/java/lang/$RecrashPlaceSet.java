package java.lang;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A set of places: fields and elements of objects that a walker met, and static fields. */
final class $RecrashPlaceSet {
    /** By object: offsets of fields, or indexes of elements. */
    private final Map<Integer, BitSet> places = new HashMap<>();
    private final Set<String> statics = new HashSet<>();

    /** False when it was there already. */
    boolean add(int object, int place) {
        BitSet seen = places.get(object);
        if (seen == null) {
            seen = new BitSet();
            places.put(object, seen);
        }
        boolean isNew = !seen.get(place);
        seen.set(place);
        return isNew;
    }

    boolean add(String field) {
        return statics.add(field);
    }

    boolean contains(int object, int place) {
        BitSet seen = places.get(object);
        return seen != null && seen.get(place);
    }

    void addAll($RecrashPlaceSet other) {
        for (Map.Entry<Integer, BitSet> entry : other.places.entrySet()) {
            BitSet seen = places.get(entry.getKey());
            if (seen == null) {
                places.put(entry.getKey(), entry.getValue());
            } else {
                seen.or(entry.getValue());
            }
        }
        statics.addAll(other.statics);
    }
}
