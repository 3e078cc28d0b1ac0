package vault;

/** Knows the word. */
public class Use {
    private Use() {}

    public static void main(String[] arguments) {
        Vault.open("Sesame, open 4711");
    }
}
