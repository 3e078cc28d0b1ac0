// exit 1
// snapshot main java.lang.ArithmeticException
//   0 Recursion.down(0, "x")
//   0 Recursion.down(1, "xx")
//   0 Recursion.down(2, "xxx")
//   0 Recursion.main([Ljava.lang.String;)
public class Recursion {
    static int down(int depth, String path) {
        int reciprocal = 100 / depth + path.length();
        // An overwritten parameter is still seen as it was on entry.
        path = path.substring(1);
        depth = depth - 1;
        return down(depth, path) + reciprocal;
    }

    public static void main(String[] args) {
        System.out.println("start");
        System.out.println(down(2, "xxx"));
    }
}
