package night;

import java.util.Random;
import stock.Shelf;

/** A night's work at a shelf, which goes wrong near its end in the way that is asked for. */
public class Audit {
    public static void main(String[] arguments) {
        Shelf shelf = new Shelf();
        Random random = new Random(7);
        int there = 0;
        for (int i = 0; i < 500; i++) {
            shelf.put("item " + i);
            there++;
            if (random.nextInt(3) == 0 && shelf.take() != null) {
                there--;
            }
            if (i > 490 && arguments[0].equals("wrong")) {
                shelf.put("broken");
                shelf.discard("broken");
            }
            if (shelf.size() != there) {
                throw new IllegalStateException("expected " + there + " items but there are " + shelf.size());
            }
        }
        if (arguments[0].equals("crash")) {
            shelf.discard("item 0");
        }
        System.out.println(shelf.longest());
    }
}
