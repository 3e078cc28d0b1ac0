package stock;

import java.util.Arrays;

/** Items in a row; what is thrown away leaves a hole, which nobody reckons with. */
public class Shelf {
    private String[] items = new String[4];
    private int count;

    public void put(String item) {
        if (count == items.length) {
            items = Arrays.copyOf(items, 2 * count);
        }
        items[count++] = item;
    }

    public void discard(String item) {
        for (int i = 0; i < count; i++) {
            if (item.equals(items[i])) {
                items[i] = null;
            }
        }
    }

    public String take() {
        return count == 0 ? null : items[--count];
    }

    public int size() {
        return count;
    }

    public int longest() {
        int longest = 0;
        for (int i = 0; i < count; i++) {
            longest = Math.max(longest, items[i].length());
        }
        return longest;
    }
}
