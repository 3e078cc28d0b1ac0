import java.util.List;

/** Crashes that can happen, though a careless proof would say that they cannot; and ways that are easily missed. */
public class Doubts {
    private int size;
    private int[] numbers;
    private static boolean ready;

    void changedByAnother(Runnable other) {
        if (size == 1) {
            other.run();
            if (size == 2) {
                throw new IllegalStateException(); // another
            }
        }
    }

    static void askedTwice(List<String> all) {
        if (all.isEmpty()) {
            all.add("x");
            if (!all.isEmpty()) {
                throw new IllegalStateException(); // twice
            }
        }
    }

    static void manyTimes(int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += 2;
        }
        if (sum == 40) {
            throw new IllegalStateException(); // many
        }
    }

    private void set(int value) {
        this.size = value;
    }

    void throughSetter(int value) {
        size = 3;
        set(value);
        if (size == 8) {
            throw new IllegalStateException(); // setter
        }
    }

    static int parsed(String text) {
        int value = -1;
        boolean failed = false;
        try {
            value = Integer.parseInt(text);
        } catch (NumberFormatException problem) {
            failed = true;
        }
        if (failed) {
            throw new IllegalStateException(); // caught
        }
        return value;
    }

    abstract static class Shape {
        abstract int area();
    }

    static class Square extends Shape {
        int side;

        @Override
        int area() {
            return side * side;
        }
    }

    static class Dot extends Shape {
        @Override
        int area() {
            return 0;
        }
    }

    static void dispatched(Shape shape) {
        if (shape.area() == 49) {
            throw new IllegalStateException(); // shape
        }
    }

    void element() {
        if (ready && numbers[2] == numbers.length && numbers.length < 5) {
            throw new IllegalStateException(); // element
        }
    }

    static void aliases(Doubts one, Doubts other) {
        one.size = 1;
        other.size = 2;
        if (one.size == 2) {
            throw new IllegalStateException(); // aliases
        }
    }

    static Object narrowed(Object it) {
        String text = (String) it;
        return text.charAt(4); // hidden
    }
}
