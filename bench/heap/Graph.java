import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The graph all routes carry: a binary tree whose nodes hold what programs hold. */
public class Graph {
    public static class Node {
        public String name;
        public int number;
        public Node left;
        public Node right;
        public Node parent;
        public List<Object> items = new ArrayList<>();
        public Map<String, Object> attributes = new HashMap<>();
        public long[] samples;
        public Double weight;
    }

    private int count;

    /** A tree of {@code 2^depth - 1} nodes, about 13 objects each. */
    public static Node tree(int depth) {
        return new Graph().node(depth, null);
    }

    private Node node(int depth, Node parent) {
        if (depth == 0) {
            return null;
        }
        Node node = new Node();
        node.parent = parent;
        node.number = count++;
        node.name = "node number " + node.number;
        node.items.add(node.number * 1000);
        node.items.add("item of " + node.number);
        node.attributes.put("colour" + node.number % 7, "value " + node.number);
        node.samples = new long[] {node.number, node.number * 2L, node.number * 3L};
        node.weight = node.number / 3.0;
        node.left = node(depth - 1, node);
        node.right = node(depth - 1, node);
        return node;
    }

    /** A sum over everything, to prove that a copy is whole. */
    public static long check(Node node) {
        if (node == null) {
            return 0;
        }
        long sum = node.name.length() + node.number + node.samples[2] + node.items.size()
                + node.attributes.get("colour" + node.number % 7).toString().length() + (long) (node.weight * 3);
        if (node.left != null && node.left.parent != node) {
            throw new IllegalStateException("the parent of " + node.left.name + " is another object");
        }
        return sum + check(node.left) + check(node.right);
    }
}
