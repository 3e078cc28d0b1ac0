package paper;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A map that keeps its order, with the mistake that STAR's figure 12 is about: replacing a null counts as adding. */
public class Ordered {
    private final Map<Object, Object> values = new HashMap<>();
    private final List<Object> order = new ArrayList<>();

    public Object put(Object key, Object value) {
        if (!values.containsKey(key)) {
            order.add(key);
        }
        return values.put(key, value);
    }

    public Object put(int index, Object key, Object value) {
        Object old = values.put(key, value);
        int at = order.indexOf(key);
        if (at >= 0) {
            order.remove(at);
            index = at < index ? index - 1 : index;
        }
        order.add(index, key);
        // trace: java.lang.IndexOutOfBoundsException | put putAll
        return old;
    }

    public void putAll(int index, Map<?, ?> others) {
        for (Map.Entry<?, ?> entry : others.entrySet()) {
            Object old = put(index, entry.getKey(), entry.getValue());
            if (old == null) {
                index++;
            } else {
                index = order.indexOf(entry.getKey()) + 1;
            }
        }
    }
}
