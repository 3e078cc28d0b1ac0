import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;

/** Restores a plan's only argument, and prints it with the notes, or the sentence that says why not. */
public class Mirror {
    static class Changed {
        int kept;
        long renamedNow;
        List<String> retyped;
    }

    /** Classes are made from this one. */
    static class Template {
        int kept;

        @Override
        public String toString() {
            return "kept=" + kept;
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] plan = Files.readAllBytes(Paths.get(args[0]));
        try {
            Object restored = $RecrashRestorer.restore(plan, Mirror.class.getClassLoader())[1];
            System.out.println(restored.getClass().getName() + " " + show(restored));
        } catch (IllegalStateException refused) {
            System.out.println(refused.getMessage());
            return;
        }
        for (String note : $RecrashRestorer.notes()) {
            System.out.println(note);
        }
    }

    private static String show(Object o) {
        if (o == null) {
            return "null";
        }
        if (o instanceof Changed) {
            Changed c = (Changed) o;
            return "kept=" + c.kept + " renamedNow=" + c.renamedNow + " retyped=" + c.retyped;
        }
        if (o instanceof java.nio.ByteBuffer) {
            return ((java.nio.ByteBuffer) o).hasRemaining() ? "a buffer" : "empty buffer";
        }
        if (o instanceof java.util.ArrayList) {
            // its array was forged: only a NullPointerException may come of it
            try {
                return "[" + ((List<?>) o).get(0) + "]";
            } catch (NullPointerException expected) {
                return "[]";
            }
        }
        if (o instanceof Integer[]) {
            return "[" + show(((Object[]) o)[0]) + "]";
        }
        if (o instanceof Object[]) {
            StringBuilder all = new StringBuilder();
            for (Object item : (Object[]) o) {
                all.append(all.length() == 0 ? "" : ", ").append(show(item));
            }
            return all.toString();
        }
        return o.getClass() == Object.class ? "Object" : o.toString();
    }
}
