package shop;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Fails for goods without a price, after having changed everything that a test may share with others. */
public class Till {
    static int rate = 1;
    static final ThreadLocal<String> CASHIER = new ThreadLocal<>();

    private final Map<String, Integer> prices = new HashMap<>();

    int total(String goods, int count) {
        int each = prices.get(goods);
        return each * count * rate;
    }

    public static void main(String[] arguments) {
        rate = 19;
        CASHIER.set("Ada");
        System.setProperty("shop.mode", "sale");
        Locale.setDefault(Locale.ITALY);
        Till till = new Till();
        till.prices.put("tea", 3);
        System.out.println(till.total("tea", 2));
        System.out.println(till.total("milk", 5));
    }
}
