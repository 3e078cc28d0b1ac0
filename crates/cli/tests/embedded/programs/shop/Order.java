package shop;

/** Fails outside the main class, in a class that is woken while it is loaded. */
public class Order {
    private final int[] prices = {3, 5, 8};
    private int seen;

    public int total(String customer, int lines) {
        int total = 0;
        for (int line = 0; line < lines; line++) {
            seen++;
            total += prices[line] * customer.length();
        }
        return total;
    }
}
