// flags -Xmx64m
// exit 0
/** Needs a quarter of the heap again and again: what is kept of its writes must not keep what was written to. */
public class Spendthrift {
    static void write(int[] large, int at) {
        large[at] = at;
    }

    public static void main(String[] args) {
        for (int round = 1; round <= 50; round++) {
            write(new int[4 << 20], round);
        }
        System.out.println("50 rounds");
    }
}
