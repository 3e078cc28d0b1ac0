import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * Frames that need to know their place in the journal, and those that do not. `asks:` says which calls of `main` ask for it,
 * `needless:` which methods never do.
 */
public class Marks {
    int count;
    Marks next;
    List<Marks> all = new ArrayList<>();

    // needless: getter
    int getter() {
        return next == null ? count : next.count;
    }

    // needless: setter
    Marks setter(int to) {
        count = to;
        next = this;
        return this;
    }

    // needless: delegates
    int delegates(int by) {
        return next.fails(by + count);
    }

    // needless: eitherWay
    int eitherWay(boolean which) {
        if (which) {
            return next.getter();
        }
        return getter();
    }

    // needless: refuses
    void refuses(int by) {
        if (by < 0) {
            throw new IllegalArgumentException("below zero: ".concat(Integer.toString(by)));
        }
        count += by;
    }

    /** It can fail after its own write. */
    int fails(int by) {
        count = by;
        return 100 / (by - 7);
    }

    /** The second call can fail after the first has written. */
    int callsTwice() {
        // asks: callsTwice
        return next.setter(1).delegates(3);
    }

    /** One call, but more than once. */
    void loops(int times) {
        // asks: loops
        for (int i = 0; i < times; i++) {
            next.setter(i);
        }
    }

    /** The exception may come from after the write in there. */
    int catches() {
        // asks: catches
        try {
            return next.delegates(7);
        } catch (ArithmeticException caught) {
            return next.count / 1;
        }
    }

    /** Some are added, then one fails. */
    void bulk(List<Marks> more) {
        // asks: bulk
        all.addAll(more);
        count += more.size();
    }

    /** What is called for the first elements has written when it fails for a later one. */
    void each(List<Marks> some, Consumer<Marks> action) {
        // asks: each
        if (count >= 0 && some != null) {
            some.forEach(action);
        }
    }

    /** Only where it comes to the calls. */
    int later(boolean at) {
        if (!at) {
            return 0;
        }
        // asks: later
        return next.setter(1).delegates(3);
    }

    /** What is lazy asks once. */
    Marks lazy() {
        if (next == null) {
            // asks: lazy
            next = new Marks().setter(2).setter(3);
        }
        return next;
    }

    /** Both ways lead to calls: in front of them. */
    int both(boolean which) {
        // asks: both
        int sum = 1;
        if (which) {
            sum += next.setter(1).delegates(3);
        } else {
            sum += next.setter(2).delegates(4);
        }
        return sum;
    }

    /** A loop in front of the calls does not count. */
    int afterLoop(int[] numbers) {
        int sum = 0;
        for (int number : numbers) {
            if (number < 0) {
                return -1;
            }
            sum += number;
        }
        // asks: afterLoop
        return next.setter(sum).delegates(3);
    }

    public static void main(String[] arguments) {
        // asks: main
        Marks marks = new Marks().setter(1);
        System.out.println(marks.getter() + marks.eitherWay(true) + marks.eitherWay(false));
        marks.refuses(3);
        // asks: fails
        System.out.println(marks.callsTwice());
        marks.loops(2);
        // asks: fails
        System.out.println(marks.catches());
        marks.bulk(new ArrayList<>());
        marks.each(Collections.singletonList(marks), one -> one.setter(3));
        System.out.println(marks.later(false));
        // asks: fails
        System.out.println(marks.later(true));
        marks.next = null;
        System.out.println(marks.lazy().count);
        System.out.println(marks.lazy().count);
        // asks: fails
        System.out.println(marks.both(false));
        System.out.println(marks.afterLoop(new int[] {-1}));
        // asks: fails
        System.out.println(marks.afterLoop(new int[] {2}));
        try {
            // asks: fails
            marks.delegates(1 - marks.count);
            marks.refuses(-1);
        } catch (IllegalArgumentException refused) {
            System.out.println(refused.getMessage());
        }
    }
}
