// crash: java.lang.IllegalStateException

/** `settle` clears the field it needs before it fails: only the value on entry leads to the same crash. */
public class ReceiverField {
    private static final class Order {
        final String item;
        final int cents;

        Order(String item, int cents) {
            this.item = item;
            this.cents = cents;
        }
    }

    private Order pending;
    private int total;

    public void place(String item, int cents) {
        pending = new Order(item, cents);
    }

    public int settle() {
        Order order = pending;
        pending = null;
        total += order.cents;
        if (total < 0) {
            throw new IllegalStateException(order.item + " makes the total " + total); // frame: reproduced
        }
        return total;
    }

    public static void main(String[] args) {
        ReceiverField till = new ReceiverField();
        till.place("tea", 250);
        till.settle();
        till.place("refund", -900);
        till.settle(); // frame: reproduced
    }
}
