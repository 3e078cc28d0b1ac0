// crash: java.lang.ClassCastException

public class CastOnInsert {
    public static void main(String[] args) {
        Bst tree = new Bst();
        tree.insert(20);
        tree.insert(10);
        tree.insert(5);
        tree.insert("two"); // frame: reproduced
    }
}
