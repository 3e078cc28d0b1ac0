// crash: java.lang.NullPointerException

import java.util.HashMap;
import java.util.Map;

/** What `greet` does is decided by static fields that earlier calls filled; the test brings them back before the call. */
public class Registry {
    private static final Map<String, String> GREETINGS = new HashMap<>();
    private static String language = "en";
    private static int calls;

    static void register(String code, String greeting) {
        GREETINGS.put(code, greeting);
        language = code;
    }

    static String greet(String name) {
        calls++;
        String greeting = GREETINGS.get(language);
        return greeting.toUpperCase() + ", " + name + " (" + calls + ")"; // frame: reproduced
    }

    public static void main(String[] args) {
        register("en", "hello");
        System.out.println(greet("Ada"));
        register("tlh", null);
        System.out.println(greet("Grace")); // frame: reproduced
    }
}
