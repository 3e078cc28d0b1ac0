// flags -Xmx32m
// exit 0

/** Copies of what these frames are given would not all fit into the heap. */
public class Greedy {
    private int deepest;

    private int descend(byte[] large, int depth) {
        deepest = Math.max(deepest, depth);
        large[depth]++;
        return depth == 200 ? large[0] : descend(large, depth + 1) + large[depth];
    }

    public static void main(String[] args) {
        Greedy greedy = new Greedy();
        int sum = greedy.descend(new byte[1 << 20], 0);
        byte[] more = new byte[20 << 20];
        System.out.println(greedy.deepest + " " + sum + " " + more.length);
    }
}
