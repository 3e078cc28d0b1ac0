// flags -Xmx24m
// exit 1
import java.util.ArrayList;
import java.util.List;

/** What fills the heap is an argument: keeping it for a snapshot would make the program's own handling fail. */
public class HeapFull {
    static void fill(List<Object> list, int size) {
        for (long i = 0; i < Long.MAX_VALUE; i++) {
            list.add(new byte[size]);
        }
    }

    static void recover(int size) {
        try {
            fill(new ArrayList<>(1 << 16), size);
        } catch (OutOfMemoryError e) {
            // Needs half of the heap again, while the error is still at hand.
            System.out.println("recovered " + new byte[12 << 20].length + " " + (e != null));
        }
    }

    public static void main(String[] args) {
        recover(1024);
        System.out.println("filling");
        fill(new ArrayList<>(1 << 16), 1024);
    }
}
