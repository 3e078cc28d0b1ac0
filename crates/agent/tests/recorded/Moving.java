// exit 0

import java.util.ArrayList;
import java.util.List;

/** Objects that crossed move, again and again, and cross again. */
public class Moving {
    public static void main(String[] args) {
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            places.add(new Place());
        }
        Place last = null;
        int garbage = 0;
        for (int i = 0; i < 20_000; i++) {
            garbage += new byte[2_000].length;
            Place place = places.get(i % 10);
            place.visit(last);
            last = place;
            if (i == 10_000) {
                System.gc();
            }
        }
        System.out.println(garbage + " " + new Place().visited());
    }
}

class Place {
    private int visited;

    void visit(Place from) {
        visited++;
    }

    int visited() {
        return visited;
    }
}
