// crash: java.lang.NumberFormatException

/**
 * By the time of the crash the callees of `sum` have moved the reader on and returned: no frame in the middle can lead its
 * objects back to what they were on entry. `main` can be run again, and a second look at that run can.
 */
public class Consumed {
    private static final class Words {
        private final String[] words;
        private int next;

        Words(String... words) {
            this.words = words;
        }

        String word() {
            String word = words[next];
            next++;
            return word;
        }
    }

    private final Words reader;
    private int depth;

    Consumed(Words reader) {
        this.reader = reader;
    }

    /** Adds up `( 1 2 + ( 3 ) )`. */
    int sum() {
        expect("(");
        depth++;
        int total = 0;
        for (String word = reader.word(); !word.equals(")"); word = reader.word()) {
            total += word.equals("+") ? sum() : Integer.parseInt(word); // frame: reproduced // frame in OneLook: other-exception
        }
        depth--;
        return total;
    }

    private void expect(String wanted) {
        String found = reader.word();
        if (!found.equals(wanted)) {
            throw new IllegalStateException("expected " + wanted + " at depth " + depth + ", not " + found);
        }
    }

    public static void main(String[] args) {
        System.out.println(new Consumed(new Words("(", "1", "2", "+", "(", "3", ")", "4", ")")).sum());
        new Consumed(new Words("(", "1", "+", "(", "2", "+", "(", "three", ")", ")", ")")).sum(); // frame: reproduced // frame in OneLook: reproduced
    }
}
