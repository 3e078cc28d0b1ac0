package shop;

import java.util.HashMap;
import java.util.Map;

/** What goods cost, in cents. */
final class PriceList {
    private final Map<String, Integer> cents = new HashMap<>();

    static PriceList ofToday() {
        PriceList prices = new PriceList();
        prices.cents.put("tea", 250);
        prices.cents.put("milk", 90);
        prices.cents.put("coffee", 420);
        return prices;
    }

    int each(String goods) {
        int price = cents.get(goods);
        return price - price % 10;
    }
}
