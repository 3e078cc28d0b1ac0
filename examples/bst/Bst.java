import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** A binary search tree of anything comparable, with the weak spots of the paper's BST: unchecked casts and an encoding by name. */
public class Bst {
    private static final class Node {
        final Object key;
        Node left;
        Node right;

        Node(Object key) {
            this.key = key;
        }
    }

    private Node root;
    private int size;

    public void insert(Object key) {
        if (root == null) {
            root = new Node(key);
            size++;
            return;
        }
        insertBelow(root, key); // frame in CastOnInsert: reproduced
    }

    private void insertBelow(Node node, Object key) {
        int order = compare(key, node.key); // frame in CastOnInsert: reproduced
        if (order == 0) {
            return;
        }
        Node next = order < 0 ? node.left : node.right;
        if (next != null) {
            insertBelow(next, key);
            return;
        }
        Node leaf = new Node(key);
        if (order < 0) {
            node.left = leaf;
        } else {
            node.right = leaf;
        }
        size++;
    }

    public boolean contains(Object key) {
        Node node = root;
        while (node != null) {
            int order = compare(key, node.key); // frame in CastOnFind: reproduced
            if (order == 0) {
                return true;
            }
            node = order < 0 ? node.left : node.right;
        }
        return false;
    }

    @SuppressWarnings("unchecked")
    private static int compare(Object a, Object b) {
        return ((Comparable<Object>) a).compareTo(b);
    }

    public byte[] print(String encoding) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        print(root, bytes, encoding); // frame in EncodingOnPrint: reproduced
        return bytes.toByteArray();
    }

    private void print(Node node, OutputStream out, String encoding) throws IOException {
        if (node == null) {
            return;
        }
        print(node.left, out, encoding); // frame in EncodingOnPrint: reproduced
        out.write(node.key.toString().getBytes(encoding)); // frame in EncodingOnPrint: reproduced
        out.write('\n');
        print(node.right, out, encoding);
    }
}
