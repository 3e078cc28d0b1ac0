package recrash.retrace;

import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/** Where the values in the driver's own fields are from. */
final class FieldTags {
    private final Map<String, Map<Object, Tag>> known = new HashMap<>();
    private static final Object STATIC = new Object();

    void put(Field field, Object on, Tag tag) {
        String name = field.getDeclaringClass().getName() + '.' + field.getName();
        known.computeIfAbsent(name, ignored -> new IdentityHashMap<>()).put(on == null ? STATIC : on, tag);
    }

    Tag get(Field field, Object on) {
        Map<Object, Tag> tags = known.get(field.getDeclaringClass().getName() + '.' + field.getName());
        return tags == null ? null : tags.get(on == null ? STATIC : on);
    }
}
