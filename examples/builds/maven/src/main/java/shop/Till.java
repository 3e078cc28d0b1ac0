package shop;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds up what a customer brings to the till. */
public class Till {
    private final Map<String, Integer> prices = new HashMap<>();

    public Till price(String goods, int each) {
        prices.put(goods, each);
        return this;
    }

    public int total(List<String> basket) {
        int total = 0;
        for (String goods : basket) {
            total += prices.get(goods);
        }
        return total;
    }
}
