// crash: java.lang.NullPointerException
// jdk: 17

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * Objects that a test makes by plain Java: a record, a bean, a factory, nested maps, a customer that two orders share. A
 * lambda it cannot make: one is not needed for the crash, the other is.
 */
class Orders {
    enum Level { PLAIN, GOLD }

    record Item(String sku, int count) {}

    static class Customer {
        private final String name;
        private final Level level;
        private String address;

        Customer(String name, Level level) {
            if (name == null) {
                throw new IllegalArgumentException("a customer has a name");
            }
            this.name = name;
            this.level = level;
        }

        void setAddress(String address) {
            this.address = address;
        }
    }

    static class Order {
        final int number;
        final Customer customer;
        List<Item> items = new ArrayList<>();

        Order(int number, Customer customer) {
            this.number = number;
            this.customer = customer;
        }
    }

    static final class Delivery {
        private final LocalDate day;
        private final Map<String, List<Integer>> slots;
        private int attempts;

        private Delivery(LocalDate day, Map<String, List<Integer>> slots) {
            this.day = day;
            this.slots = new LinkedHashMap<>(slots);
        }

        static Delivery on(LocalDate day, Map<String, List<Integer>> slots) {
            return new Delivery(day, slots);
        }

        void retry() {
            attempts++;
        }
    }

    static final class Courier {
        private final Runnable horn;
        private int trips;

        Courier(Runnable horn) {
            this.horn = horn;
        }

        void depart() {
            horn.run();
            trips++;
        }
    }

    static String label(Order first, Order second, Delivery delivery) {
        if (first.customer != second.customer) {
            return "two labels";
        }
        String street = first.customer.address.trim(); // frame: reproduced
        return street + ' ' + delivery.day + ' ' + delivery.slots + ' ' + delivery.attempts;
    }

    static String ship(Courier courier, Order order, Map<String, Delivery> deliveries) {
        Order gift = new Order(order.number + 1, order.customer);
        String label = label(order, gift, deliveries.get("north")); // frame: reproduced
        courier.depart();
        return label + courier.trips;
    }

    static String print(Order order, IntUnaryOperator discount, Map<String, Delivery> deliveries) {
        int total = discount.applyAsInt(order.items.size());
        Courier courier = new Courier(() -> System.out.println("toot " + total));
        courier.depart();
        String shipped = ship(courier, order, deliveries); // frame: reproduced
        return shipped + total;
    }

    public static void main(String[] args) {
        Customer customer = new Customer("Ada \"Countess\" Lovelace", Level.GOLD);
        Order order = new Order(7, customer);
        order.items.add(new Item("A-1", 2));
        order.items.add(new Item("B-2", 1));
        Map<String, List<Integer>> slots = new LinkedHashMap<>();
        slots.put("morning", List.of(8, 9));
        slots.put("evening", List.of(18));
        Delivery delivery = Delivery.on(LocalDate.of(2024, 2, 29), slots);
        delivery.retry();
        int[] percent = {args.length + 10};
        System.out.println(print(order, price -> price - percent[0], Map.of("north", delivery))); // frame: reproduced
    }
}
