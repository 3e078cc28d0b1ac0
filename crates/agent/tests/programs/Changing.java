// exit 1
// snapshot main java.lang.IllegalStateException
//   0 Changing.inner(this=Changing)
//   0 Changing.outer(this=Changing, Changing$Node, Changing$Node, [I, [Ljava.lang.Object;, "text")
//   0 Changing.main([Ljava.lang.String;)

/** Everything `outer` was given is changed by another class before it fails, near and far. */
public class Changing {
    static final class Node {
        final String name;
        int value;
        Node next;
        Node other;

        Node(String name, int value) {
            this.name = name;
            this.value = value;
        }
    }

    private int count = 1;
    private boolean flag;
    private int back = 1;
    private static int used;

    /** By the time of the failure `back` is what it was when this was entered, but not what it was in between. */
    private void outer(Node node, Node same, int[] numbers, Object[] things, String text) {
        used += node.next == null ? 0 : text.length();
        Changer.change(this, node, numbers, things);
        inner();
    }

    private void inner() {
        Changer.back(this);
        throw new IllegalStateException("changed");
    }

    public static void main(String[] args) {
        Node first = new Node("first", 1);
        first.next = new Node("second", 2);
        first.next.next = new Node("third", 3);
        first.next.next.next = first;
        first.other = new Node("other", 4);
        new Changing().outer(first, first, new int[] {5, 6}, new Object[] {"seven", new Node("eighth", 8), 9}, "text");
    }

    static final class Changer {
        static void change(Changing it, Node node, int[] numbers, Object[] things) {
            it.count = -1;
            it.flag = true;
            it.back = -1;
            for (Node n = node; n.value > 0; n = n.next) {
                n.value = -n.value;
            }
            node.other.value = -4;
            node.next.next.next = null;
            numbers[1] = -6;
            ((Node) things[1]).value = -8;
            things[0] = null;
        }

        static void back(Changing it) {
            it.back = 1;
        }
    }
}
