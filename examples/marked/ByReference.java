// crash: java.lang.NullPointerException
// options: --strategy reference

/** Only references are kept: nothing leads back to what the objects were before they were marked. */
final class ByReference {
    public static void main(String[] args) throws InterruptedException {
        Compiler.crash();
    }
}
