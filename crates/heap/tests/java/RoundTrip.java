import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code capture FILE} makes the object of every case and writes the heap part, behind a line with the ids; {@code
 * restore PLAN} restores them and prints one line per case.
 */
public class RoundTrip {
    static List<Case> cases() {
        List<Case> all = new ArrayList<>();
        all.addAll(ValueCases.all());
        all.addAll(CollectionCases.all());
        all.addAll(ClassCases.all());
        all.addAll(JvmCases.all());
        return all;
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("capture")) {
            capture(args[1]);
        } else {
            restore(args[1]);
        }
    }

    private static void capture(String file) throws Exception {
        $RecrashTestDoor walker = new $RecrashTestDoor(10_000_000, 1L << 30, 60_000);
        StringBuilder ids = new StringBuilder();
        List<Object> kept = new ArrayList<>();
        for (Case one : cases()) {
            Object made = one.make();
            kept.add(made);
            ids.append(walker.root(made)).append(' ');
        }
        try (DataOutputStream out = new DataOutputStream(new FileOutputStream(file))) {
            out.write(ids.toString().trim().getBytes());
            out.write('\n');
            for (byte[] piece : walker.finish()) {
                out.write(piece);
            }
        }
        for (String limit : walker.limits()) {
            System.out.println("LIMIT " + limit);
        }
    }

    private static void restore(String file) throws Exception {
        byte[] plan = Files.readAllBytes(Paths.get(file));
        Object[] restored = $RecrashRestorer.restore(plan, RoundTrip.class.getClassLoader());
        int i = 1;
        for (Case one : cases()) {
            try {
                one.check(restored[i++]);
                System.out.println("ok " + one.name);
            } catch (Throwable failed) {
                System.out.println("FAIL " + one.name + ": " + failed + " at " + java.util.Arrays.asList(failed.getStackTrace()).subList(0, Math.min(6, failed.getStackTrace().length)));
            }
        }
        for (String note : $RecrashRestorer.notes()) {
            System.out.println("NOTE " + note);
        }
    }
}
