// flags -Xmx64m
// exit 0
/** Arguments of exceptions that were caught and forgotten are garbage, as without recrash. */
public class Forgotten {
    static void fail(byte[] large, int number) {
        large[0] = 1;
        throw new IllegalStateException("number " + number);
    }

    public static void main(String[] args) throws Exception {
        java.lang.ref.WeakReference<byte[]> seen = null;
        for (int i = 0; i < 100; i++) {
            byte[] large = new byte[4 << 20];
            if (i == 99) {
                seen = new java.lang.ref.WeakReference<>(large);
            }
            try {
                fail(large, i);
            } catch (IllegalStateException e) {
                continue;
            }
        }
        for (int i = 0; i < 100 && seen.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        System.out.println(seen.get() == null ? "forgotten" : "still there");
    }
}
