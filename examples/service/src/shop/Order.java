package shop;

import java.util.ArrayList;
import java.util.List;

/** What a customer wants. */
record Order(String customer, List<Line> lines) {
    record Line(int count, String goods) {}

    /** Of {@code Ada: 2 tea, 1 milk}. */
    static Order parse(String request) {
        String[] parts = request.split(": ");
        List<Line> lines = new ArrayList<>();
        for (String line : parts[1].split(", ")) {
            String[] words = line.split(" ");
            lines.add(new Line(Integer.parseInt(words[0]), words[1]));
        }
        return new Order(parts[0], lines);
    }

    int total(PriceList prices) {
        int total = 0;
        for (Line line : lines) {
            total += line.count() * prices.each(line.goods());
        }
        return total;
    }
}
