// crash: java.lang.NullPointerException

/** The fields that callees of the same class write are kept, too. */
final class ByDefault {
    public static void main(String[] args) throws InterruptedException {
        Compiler.crash();
    }
}
