// crash: java.lang.NullPointerException
// jdk: 25

import java.util.Map;

/** The same with a scoped value, whose scope has ended when the failure is known for one. */
public class Scoped {
    static final ScopedValue<String> TENANT = ScopedValue.newInstance();
    static final Map<String, Map<String, Integer>> FEES = Map.of("shop-a", Map.of("DE", 10));

    static int fee(String country) {
        return FEES.get(TENANT.get()).get(country); // frame: reproduced
    }

    public static void main(String[] args) {
        ScopedValue.where(TENANT, "shop-a").run( // frame: reproduced
                () -> fee("IT")); // frame: reproduced
    }
}
