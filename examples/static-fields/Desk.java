// crash: java.lang.NullPointerException

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Static fields of each kind that the crash needs and a test can set by source: one that it may name, one behind a method
 * that does nothing else, a private one, a collection that is final, and one that shares its object with an argument. Others
 * changed, too, and do not matter.
 */
class Desk {
    static final class Clerk {
        final String name;
        String stamp;

        Clerk(String name) {
            this.name = name;
        }
    }

    static boolean open;
    private static int limit = 3;
    private static String language = "en";
    private static final Map<String, List<String>> FORMS = new TreeMap<>();
    static Clerk onDuty;
    static int served;

    static void setLimit(int most) {
        limit = most;
    }

    static void fill() {
        language = "de";
        FORMS.put("de", new ArrayList<>(List.of("A 38")));
    }

    static String serve(Clerk clerk, int wishes) {
        served++;
        if (!open || wishes > limit || clerk != onDuty) {
            return "come back tomorrow";
        }
        String form = FORMS.get(language).get(0);
        return form + clerk.stamp.trim() + served; // frame: reproduced
    }

    public static void main(String[] args) {
        fill();
        open = true;
        setLimit(8);
        onDuty = new Clerk("Erika");
        serve(new Clerk("Max"), 9);
        System.out.println(serve(onDuty, 5)); // frame: reproduced
    }
}
