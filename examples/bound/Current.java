// crash: java.lang.NullPointerException

import java.util.Map;

/** What a thread has bound decides: the test sets it, and removes it after. */
public class Current {
    static final ThreadLocal<String> TENANT = new ThreadLocal<>();
    static final Map<String, Map<String, Integer>> FEES = Map.of("shop-a", Map.of("DE", 10));

    static int fee(String country) {
        return FEES.get(TENANT.get()).get(country); // frame: reproduced
    }

    public static void main(String[] args) {
        TENANT.set("shop-a");
        fee("IT"); // frame: reproduced
    }
}
