// exit 1
// overflow Overflow.down Overflow.main
public class Overflow {
    static long down(long depth, String text) {
        long next = depth + text.length();
        return down(next, text) + 1;
    }

    public static void main(String[] args) {
        System.out.println("going down");
        System.out.println(down(0, "x"));
    }
}
