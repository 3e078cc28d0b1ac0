import java.nio.file.Files;
import java.nio.file.Paths;

/** Restores a plan with one byte changed, for each byte of a range: an object comes of it or a sentence. */
public class Forged {
    public static void main(String[] args) throws Exception {
        byte[] plan = Files.readAllBytes(Paths.get(args[0]));
        int from = Integer.parseInt(args[1]);
        int to = Integer.parseInt(args[2]);
        int restored = 0;
        int refused = 0;
        for (int at = from; at < to; at++) {
            byte[] changed = plan.clone();
            changed[at] ^= 0x55;
            try {
                Object made = $RecrashRestorer.restore(changed, new ClassLoader(Forged.class.getClassLoader()) {})[1];
                restored += made.getClass().getClassLoader() == Forged.class.getClassLoader() ? 0 : 1;
            } catch (IllegalStateException sentence) {
                refused += sentence.getMessage().startsWith("argument 1 cannot be restored: ") ? 1 : 0;
            }
        }
        System.out.println((restored > 0) + " " + (refused > 0) + " " + (restored + refused == to - from));
    }
}
