// crash: java.lang.IllegalStateException

import java.util.HashMap;
import java.util.Map;

/**
 * The steps have no hashCode of their own, so the map hands them out by identity hash: an order the JVM makes up anew in
 * every run. `perform` crashes for half of these orders; its test crashes every time, because identity hashes are restored.
 */
public class HashOrder {
    static final class Step {
        final boolean opens;

        Step(boolean opens) {
            this.opens = opens;
        }
    }

    static int perform(Map<Step, String> steps) {
        boolean open = false;
        int done = 0;
        for (Map.Entry<Step, String> step : steps.entrySet()) {
            if (step.getKey().opens) {
                open = true;
            } else if (!open) {
                throw new IllegalStateException(step.getValue() + " before it was opened"); // frame: reproduced
            }
            done++;
        }
        return done;
    }

    public static void main(String[] args) {
        for (int i = 0; i < 1_000; i++) {
            Map<Step, String> steps = new HashMap<>();
            steps.put(new Step(true), "open");
            steps.put(new Step(false), "close");
            perform(steps); // frame: reproduced
        }
    }
}
