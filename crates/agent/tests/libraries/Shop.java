/** What fails in the programs beside this one. */
public class Shop {
    /** Fails where there is nothing to pay. */
    static int average(int[] prices, String customer) {
        int sum = customer.length();
        for (int price : prices) {
            sum += price;
        }
        return sum / prices.length;
    }

    static int bill(String customer) {
        int[] prices = customer.equals("nobody") ? new int[0] : new int[] {1, 2, 3};
        return average(prices, customer) + customer.length();
    }

    /** Expected, and dealt with. */
    static int find(String customer) throws java.io.IOException {
        if (customer.length() > 3) {
            throw new java.io.FileNotFoundException(customer);
        }
        return bill(customer);
    }

    /** Throws what no one has in mind. */
    static int stock(String customer) {
        if (customer.length() > 3) {
            throw new IllegalStateException(customer);
        }
        return bill(customer);
    }
}
