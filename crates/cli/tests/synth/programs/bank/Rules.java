package bank;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Crashes in code of lambdas, which no test can call by name. */
public class Rules {
    static final BiConsumer<String, String> CHECK = (name, value) -> {
        if (name.startsWith("limit") && value.length() > 3) {
            throw new IllegalArgumentException("too long: " + value);
            // trace: java.lang.IllegalArgumentException: too long: 12345 | lambda$static$0
        }
    };

    private final List<String> names = new ArrayList<>();
    private final Function<Integer, Integer> share = parts -> {
        return 100 / parts;
        // trace: java.lang.ArithmeticException: / by zero | lambda$new$1 each@apply
    };

    public void add(String name) {
        names.add(name);
    }

    public int each(int parts) {
        return share.apply(parts);
    }

    public static Function<String, Character> first() {
        return text -> {
            return text.charAt(0);
            // trace: java.lang.StringIndexOutOfBoundsException: index 0, length 0 | lambda$first$2
        };
    }

    /** Streams of the JDK are between the two. */
    public int longest() {
        return names.stream().mapToInt(name -> {
            return name.length();
            // trace: java.lang.NullPointerException | lambda$longest$3 longest@max
        }).max().orElse(0);
    }
}
