// crash: java.lang.NullPointerException
// jdk: 17

import java.util.ArrayList;
import java.util.List;

/**
 * Objects that only a builder makes: each kind of builder that people write, one whose object the builder cannot make alone,
 * and one that does something else with what it is given.
 */
class Builders {
    /** The constructor takes the builder; a default that is not given again. */
    static final class Order {
        private final int id;
        private final String customer;
        private final String currency;

        private Order(Builder builder) {
            this.id = builder.id;
            this.customer = builder.customer;
            this.currency = builder.currency();
        }

        /** As the first of those it was copied from: whoever reads this goes round in circles. */
        Order(Copy copy) {
            Copy first = copy;
            while (first.original() != null) {
                first = first.original();
            }
            this.id = first.order.id;
            this.customer = first.order.customer;
            this.currency = first.order.currency;
        }

        static Builder builder() {
            return new Builder();
        }

        static final class Builder {
            private int id;
            private String customer;
            private String currency = "EUR";

            Builder id(int id) {
                if (id < 0) {
                    throw new IllegalArgumentException("negative");
                }
                this.id = id;
                return this;
            }

            Builder customer(String customer) {
                this.customer = customer;
                return this;
            }

            Builder currency(String currency) {
                this.currency = currency;
                return this;
            }

            String currency() {
                return currency;
            }

            Order build() {
                return new Order(this);
            }
        }
    }

    static final class Copy {
        private Order order;
        private Copy original;

        Copy original() {
            return original;
        }
    }

    /** The constructor takes all fields; the builder wants one of them at once. */
    static final class Parcel {
        private final Order order;
        private final double weight;
        private final boolean fragile;
        private final List<String> stops;
        private String seal;

        private Parcel(Order order, double weight, boolean fragile, List<String> stops) {
            this.order = order;
            this.weight = weight;
            this.fragile = fragile;
            this.stops = List.copyOf(stops);
        }

        void seal() {
            seal = "wax";
        }

        static final class Builder {
            private final Order order;
            private double weight = 1.0;
            private boolean fragile;
            private final List<String> stops = new ArrayList<>();

            Builder(Order order) {
                this.order = order;
            }

            Builder withWeight(double weight) {
                this.weight = weight;
                return this;
            }

            Builder setFragile(boolean fragile) {
                this.fragile = fragile;
                return this;
            }

            Builder stop(String stop) {
                stops.add(stop);
                return this;
            }

            Parcel build() {
                if (weight <= 0) {
                    throw new IllegalStateException("no weight");
                }
                return new Parcel(order, weight, fragile, stops);
            }
        }
    }

    /** What is built is a class of its own, as generators of builders make it. */
    abstract static class Tariff {
        abstract String zone();

        static Builder newBuilder() {
            return new PlainTariff.Builder();
        }

        abstract static class Builder {
            abstract Builder setZone(String zone);

            abstract Builder setCents(long cents);

            abstract Tariff build();
        }
    }

    static final class PlainTariff extends Tariff {
        private final String zone;
        private final long cents;

        private PlainTariff(String zone, long cents) {
            this.zone = zone;
            this.cents = cents;
        }

        @Override
        String zone() {
            return cents > 0 ? zone : null;
        }

        static final class Builder extends Tariff.Builder {
            private String zone;
            private long cents;

            @Override
            Tariff.Builder setZone(String zone) {
                this.zone = zone;
                return this;
            }

            @Override
            Tariff.Builder setCents(long cents) {
                this.cents = cents;
                return this;
            }

            @Override
            Tariff build() {
                return new PlainTariff(zone, cents);
            }
        }
    }

    static final class Ticket {
        private final int number;

        private Ticket(int number) {
            this.number = number;
        }

        static final class Builder {
            private int number;

            Builder number(int number) {
                this.number = number;
                return this;
            }

            Ticket build() {
                return new Ticket(number * 2);
            }
        }
    }

    static String label(Parcel parcel, Route route, Tariff tariff) {
        String stop = parcel.stops.get(1) + parcel.weight + parcel.fragile + route + tariff.zone();
        return stop + parcel.order.customer.trim() + parcel.order.id; // frame: reproduced
    }

    static String send(Ticket ticket, Parcel parcel, Route route, Tariff tariff) {
        return ticket.number + label(parcel, route, tariff); // frame: reproduced
    }

    public static void main(String[] args) {
        Order order = Order.builder().id(3).build();
        Parcel parcel = new Parcel.Builder(order).withWeight(2.5).stop("Graz").stop("Linz").build();
        parcel.seal();
        RouteBuilder builder = new RouteBuilder();
        builder.setFrom("Graz");
        builder.setLength(218);
        Tariff tariff = Tariff.newBuilder().setZone("north").setCents(420).build();
        System.out.println(send(new Ticket.Builder().number(7).build(), parcel, builder.create(), tariff)); // frame: reproduced
    }
}

final class Route {
    private String from;
    private String to;
    private int length;

    void starts(String from) {
        this.from = from;
    }

    void measures(int length, String to) {
        this.length = length;
        this.to = to;
    }

    @Override
    public String toString() {
        return from + to + length;
    }
}

/** A builder apart whose methods answer with nothing. */
final class RouteBuilder {
    private String start = "";
    private String end;
    private int length;

    void setFrom(String start) {
        this.start = start;
    }

    void setTo(String end) {
        this.end = end;
    }

    void setLength(int length) {
        this.length = length;
    }

    Route create() {
        Route route = new Route();
        route.starts(start);
        route.measures(length, end);
        return route;
    }
}
