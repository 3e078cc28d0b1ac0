package vault;

/** Opens for one word only, which is not in its code. */
public class Vault {
    private static final int HASH = 673981485;

    private Vault() {}

    public static int open(String word) {
        if (word.hashCode() == HASH) {
            throw new IllegalStateException("robbed");
            // trace: java.lang.IllegalStateException: robbed | open
        }
        return word.length();
    }
}
