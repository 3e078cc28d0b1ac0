// crash: java.io.UnsupportedEncodingException

import java.io.IOException;

public class EncodingOnPrint {
    public static void main(String[] args) throws IOException {
        Bst tree = new Bst();
        for (int key : new int[] {2, 1, 3}) {
            tree.insert(key);
        }
        tree.print("ISO-8859-42"); // frame: reproduced
    }
}
