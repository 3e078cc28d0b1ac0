import java.util.ArrayList;
import java.util.List;

/** Argument: rounds. Nothing but calls: recursion, virtual dispatch, mutation of receivers and arguments, some throws. */
public final class CallRounds {
    private abstract static class Node {
        int visits;

        abstract long eval(long x);
    }

    private static final class Leaf extends Node {
        final int value;

        Leaf(int value) {
            this.value = value;
        }

        @Override
        long eval(long x) {
            visits++;
            return (x & 7) == 3 ? value + visits : value * x;
        }
    }

    private static final class Branch extends Node {
        final Node left;
        final Node right;

        Branch(Node left, Node right) {
            this.left = left;
            this.right = right;
        }

        @Override
        long eval(long x) {
            visits++;
            long a = left.eval(x + 1);
            long b = right.eval(x - 1);
            return (a ^ b) + visits;
        }
    }

    private static Node tree(int depth) {
        if (depth == 0) {
            return new Leaf(depth + 3);
        }
        return new Branch(tree(depth - 1), tree(depth - 1));
    }

    private static int fibonacci(int n) {
        if (n < 2) {
            return n;
        }
        return fibonacci(n - 1) + fibonacci(n - 2);
    }

    private static int descend(int depth, List<Integer> path) {
        if (depth == 0) {
            throw new IllegalStateException("bottom");
        }
        path.add(depth);
        return descend(depth - 1, path) + 1;
    }

    private static int overwrite(int count, String text) {
        int sum = 0;
        while (count > 0) {
            sum += text.charAt(count % text.length());
            text = (count & 15) == 0 ? text + count : text.substring(text.length() / 2);
            text = text.isEmpty() ? "again" : text;
            count--;
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        Node tree = tree(12);
        Rounds.run(Integer.parseInt(args[0]), round -> {
            long sum = 0;
            for (int pass = 0; pass < 600; pass++) {
                sum += tree.eval(pass) & 0xff;
                sum += fibonacci(24);
                sum += overwrite(2_000, "overwritten parameters");
                for (int i = 0; i < 20; i++) {
                    try {
                        descend(12, new ArrayList<>());
                    } catch (IllegalStateException e) {
                        sum += e.getMessage().length();
                    }
                }
            }
            return sum;
        });
    }
}
