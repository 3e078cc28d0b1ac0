// crash: java.lang.NullPointerException
// options: --strategy shallow+used-fields

/** What the paper recommends: each method copies what it was given. */
final class ByCopies {
    public static void main(String[] args) throws InterruptedException {
        Compiler.crash();
    }
}
