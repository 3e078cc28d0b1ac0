// exit 1
// event call Cart.<init>(I)V (3) at Crossing.main
// event return Cart#0
// event read Cart.MADE = 1 at Crossing.main
// event call Cart#0 Cart.add(Ljava/lang/String;D)LItem; ("tea", 2.5)
// event return Item#1
// event read Item#1 Item.price = 2.5
// event write Item#1 Item.price = 3.0
// event content Crossing lambda#2: java.util.function.UnaryOperator by Crossing.lambda$main$0
// event call Cart#0 Cart.rename(LItem;Ljava/util/function/UnaryOperator;)V (Item#1, Crossing lambda#2)
// event callback Crossing.lambda$main$0(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String; ("green ", "tea")
// event return "green tea"
// event return
// event call Cart#0 Cart.listen(LListener;)V (Crossing$1#3)
// event callback Crossing$1#3 Crossing$1.changed(LCart;I)V (Cart#0, 1)
// event call Cart#0 Cart.size()I ()
// event return 1
// event return
// event return
// event call Cart#0 java.lang.Iterable.iterator()Ljava/util/Iterator; ()
// event return Cart$1#4
// event call Cart$1#4 java.util.Iterator.hasNext()Z ()
// event call Cart$1#4 java.util.Iterator.next()Ljava/lang/Object; ()
// event return Item#1
// event call Cart#0 Cart.get(I)LItem; (7)
// event content IndexOutOfBoundsException#5: "no item 7" at Cart.get
// event throw java.lang.IndexOutOfBoundsException: no item 7
// event call Cart.<init>(I)V (1) at Crossing$Special.<init>
// event return Crossing.Special#6
// event call Crossing.Special#6 Crossing$Special.size()I ()
// event call Cart.check(J)V (9223372036854775807L)
// event throw
// failure java.lang.IllegalStateException: no room for 9223372036854775807

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;

/** The driver: everything it does to a cart crosses. */
public class Crossing {
    public static void main(String[] args) {
        Cart cart = new Cart(Math.abs(-3));
        int made = Cart.MADE;
        Item tea = cart.add("tea", 2.5 * made);
        tea.price = tea.price + 0.5;
        String colour = args.length == 0 ? "green " : args[0];
        cart.rename(tea, name -> colour + name);
        cart.listen(new Listener() {
            @Override
            public void changed(Cart cart, int size) {
                System.out.println(size + " " + cart.size());
            }
        });
        for (Item item : (Iterable<Item>) cart) {
            System.out.println(item == tea);
        }
        try {
            cart.get(7);
        } catch (IndexOutOfBoundsException expected) {
            System.out.println(expected.getMessage());
        }
        System.out.println(new Special().twice());
        Cart.check(Long.MAX_VALUE);
    }

    /** The driver's, with code of the inside. */
    static class Special extends Cart {
        Special() {
            super(1);
        }

        int twice() {
            return 2 * size();
        }
    }
}

interface Listener {
    void changed(Cart cart, int size);
}

class Item {
    String name;
    double price;
}

class Cart implements Iterable<Item> {
    static int MADE;
    private final List<Item> items = new ArrayList<>();
    private final int most;

    Cart(int most) {
        this.most = most;
        MADE++;
    }

    Item add(String name, double price) {
        Item item = new Item();
        item.name = name;
        item.price = price;
        items.add(item);
        return item;
    }

    void rename(Item item, UnaryOperator<String> names) {
        item.name = names.apply(item.name);
    }

    void listen(Listener listener) {
        listener.changed(this, size());
    }

    int size() {
        return items.size();
    }

    Item get(int index) {
        if (index >= most) {
            throw new IndexOutOfBoundsException("no item " + index);
        }
        return items.get(index);
    }

    static void check(long wanted) {
        throw new IllegalStateException("no room for " + wanted);
    }

    @Override
    public Iterator<Item> iterator() {
        Iterator<Item> all = items.iterator();
        return new Iterator<Item>() {
            @Override
            public boolean hasNext() {
                return all.hasNext();
            }

            @Override
            public Item next() {
                return all.next();
            }
        };
    }
}
