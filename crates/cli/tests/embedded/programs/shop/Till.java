package shop;

import java.util.ArrayList;
import java.util.List;
import recrash.Recrash;

/** Fails without an exception, and with one that is caught. */
public class Till {
    private final List<Integer> prices = new ArrayList<>();
    private long total;

    void add(int price, long weight, double factor, float discount, String name) {
        price = price * 2;
        total += price;
        prices.add(price / 2);
        check(name, weight, factor, discount);
    }

    private void check(String name, long weight, double factor, float discount) {
        long sum = 0;
        for (int price : prices) {
            sum += price;
        }
        if (prices.size() == 1) {
            Recrash.capture("another point");
        } else if (sum != total && prices.size() > 2) {
            Recrash.capture("total differs");
        }
    }

    static int parse(String text) {
        try {
            return number(text.trim());
        } catch (NumberFormatException caught) {
            Recrash.capture(caught);
            return -1;
        }
    }

    private static int number(String text) {
        String digits = text + "";
        return Integer.parseInt(digits) + digits.length();
    }

    public static void main(String[] args) {
        Till till = new Till();
        for (int i = 0; i < 5; i++) {
            till.add(i + 1, 1L << 40 | i, 0.5 * i, 2.5f, "line " + i);
        }
        System.out.println(parse(" 12x "));
        System.out.println("goes on");
    }
}
