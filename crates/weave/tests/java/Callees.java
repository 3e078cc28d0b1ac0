/** What each method keeps on entry because methods of this class, which it calls, write it: as its comment says. */
public class Callees {
    private int count;
    private String name;
    private int rare;
    private final int[] numbers = new int[3];
    Callees next;

    // saves: callsSetter this.count
    int callsSetter() {
        setCount(7);
        return numbers[count];
    }

    // saves: callsLast
    void callsLast() {
        System.out.println(numbers[0]);
        setCount(8);
    }

    // saves: callsInLoop this.count
    void callsInLoop(int times) {
        for (int i = 0; i < times; i++) {
            System.out.println(numbers[i]);
            setCount(i);
        }
    }

    // saves: throughTwo this.name this.rare
    String throughTwo(boolean rarely) {
        both(rarely);
        return name.trim();
    }

    // saves: both this.name
    private void both(boolean rarely) {
        name = null;
        if (rarely) {
            setRare();
        }
        System.out.println(name);
    }

    // saves: perhapsBoth this.name
    String perhapsBoth(boolean rarely) {
        if (rarely) {
            both(rarely);
        }
        return name.trim();
    }

    // saves: roomForTwo this.name this.rare
    String roomForTwo(boolean rarely) {
        if (rarely) {
            both(rarely);
        }
        for (int i = 0; i < numbers.length; i++) {
            System.out.println("number " + i + " of " + numbers.length);
            System.out.println(numbers[i] * numbers[i] + numbers[0]);
            System.out.println(numbers[i] / (i + 1));
        }
        return name.trim();
    }

    // saves: recursive this.count this.rare
    int recursive(int depth) {
        setRare();
        return depth == 0 ? numbers[count++] : recursive(depth - 1) / depth;
    }

    // saves: passesOn other.count
    static int passesOn(Callees other, long wide, Callees untouched) {
        reset(wide, other);
        return other.numbers[untouched.count];
    }

    // saves: onAnother
    int onAnother() {
        next.setCount(9);
        return numbers[count];
    }

    // saves: onArgument that.count
    int onArgument(Callees that) {
        that.setCount(9);
        return numbers[count];
    }

    // saves: makesOne
    int makesOne() {
        Callees made = new Callees();
        made.setCount(3);
        return numbers[made.count];
    }

    // saves: itselfFirst this.name this.count
    int itselfFirst() {
        setCount(2);
        name = "itself";
        return numbers[count];
    }

    // saves: itselfAlone this.name
    int itselfAlone(boolean rarely) {
        if (rarely) {
            setCount(2);
        }
        name = "itself";
        return numbers[count];
    }

    // saves: overwritten
    static int overwritten(Callees other) {
        other = new Callees();
        reset(0L, other);
        return other.numbers[other.count];
    }

    // saves: reset
    private static void reset(long wide, Callees given) {
        System.out.println(wide);
        given.count = (int) wide;
    }

    private void setCount(int count) {
        this.count = count;
    }

    private void setRare() {
        rare = 1;
    }

    interface WordReader {
        int word();
    }

    static final class WordOutputStream {
        void word(int word) {}
    }

    // saves: usesUp and what is used up
    static int usesUp(WordReader reader) {
        int total = 0;
        for (int word = reader.word(); word != 0; word = reader.word()) {
            if (word > 9) {
                throw new IllegalStateException("too long after " + total);
            }
            total += word * 10;
        }
        return total;
    }

    // saves: usesUpShortly
    static int usesUpShortly(WordReader reader) {
        int first = reader.word();
        int second = reader.word();
        return first / second;
    }

    // saves: fills
    static int fills(WordOutputStream out, int total) {
        int rest = total;
        for (int word = 1; rest > 0; word++) {
            if (word > 9) {
                throw new IllegalStateException("too long after " + rest);
            }
            out.word(word);
            rest -= word * 10;
        }
        return rest;
    }
}
