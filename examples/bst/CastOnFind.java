// crash: java.lang.ClassCastException

public class CastOnFind {
    public static void main(String[] args) {
        Bst tree = new Bst();
        tree.insert("pear");
        tree.insert("apple");
        tree.contains('a'); // frame: reproduced
    }
}
