import java.io.FileOutputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** Captures a graph of a quarter of a million objects under the budgets given. */
public class Budget {
    public static void main(String[] args) throws Exception {
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < 250_000; i++) {
            all.add(new long[] {i, i, i, i, i, i, i, i});
        }
        $RecrashTestDoor walker = new $RecrashTestDoor(
                Integer.parseInt(args[1]), Long.parseLong(args[2]), Integer.parseInt(args[3]));
        walker.root(all);
        try (OutputStream out = new FileOutputStream(args[0])) {
            for (byte[] piece : walker.finish()) {
                out.write(piece);
            }
        }
        for (String limit : walker.limits()) {
            System.out.println(limit);
        }
        System.out.println(all.size());
    }
}
