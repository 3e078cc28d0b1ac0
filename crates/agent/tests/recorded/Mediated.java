// exit 0
// event call Price#0 Price.compareTo(LPrice;)I (Price#1)
// event call Price#1 Price.toString()Ljava/lang/String; ()
// event content ArrayList#2: [boxed 3, Price#1, "x"]
// event call Basket.<init>(Ljava/util/List;[I)V (ArrayList#2, int[]#3)
// event call ArrayList#2 java.util.List.add(Ljava/lang/Object;)Z ("later")
// event set int[]#3[1] = 9
// event call Basket#4 Basket.total()I ()
// event return 14
// event call Basket#4 Basket.names()Ljava/util/List; ()
// event call java.util.Collections.reverse(Ljava/util/List;)V (ArrayList#2)
// event content TreeMap#5: {"a"=boxed 1}
// event call Basket.count(Ljava/util/Map;)I (TreeMap#5)
// event call Price#1 Price.cents()I ()
// event return 1
// event call Price.<init>(I)V (4)
// event return Price#6
// event call Method(int Price.cents()) java.lang.reflect.Method.invoke(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object; (Price#1,
// event return boxed 1

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** The JDK stands between the driver and what it uses, and what both know changes. */
public class Mediated {
    public static void main(String[] args) throws ReflectiveOperationException {
        List<Price> prices = new ArrayList<>();
        Price two = new Price(2);
        prices.add(new Price(1));
        prices.add(two);
        Collections.sort(prices);
        System.out.println("" + prices.get(0));
        List<Object> names = new ArrayList<>();
        names.add(3);
        names.add(prices.get(0));
        names.add("x");
        int[] counts = {1, 2};
        Basket basket = new Basket(names, counts);
        names.add("later");
        counts[1] = 9;
        System.out.println(basket.total());
        Collections.reverse(basket.names());
        System.out.println(basket.names().get(0));
        Map<String, Integer> map = new TreeMap<>();
        map.put("a", 1);
        System.out.println(Basket.count(map));
        Function<Price, Integer> cents = Price::cents;
        Function<Integer, Price> make = Price::new;
        System.out.println(Optional.of(prices.get(0)).map(cents).get());
        System.out.println(Optional.of(4).map(make).isPresent());
        System.out.println(Price.class.getDeclaredMethod("cents").invoke(prices.get(0)));
    }
}

class Price implements Comparable<Price> {
    private final int cents;

    Price(int cents) {
        this.cents = cents;
    }

    int cents() {
        return cents;
    }

    @Override
    public int compareTo(Price other) {
        return Integer.compare(cents, other.cents);
    }

    @Override
    public String toString() {
        return "price " + cents;
    }
}

class Basket {
    private final List<Object> names;
    private final int[] counts;

    Basket(List<Object> names, int[] counts) {
        this.names = names;
        this.counts = counts;
    }

    int total() {
        int total = names.size();
        for (int count : counts) {
            total += count;
        }
        return total;
    }

    List<Object> names() {
        return names;
    }

    static int count(Map<String, Integer> map) {
        return map.size();
    }
}
