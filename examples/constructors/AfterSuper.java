// crash: java.lang.ArithmeticException

/** Fails in the body: the receiver exists, but only partly built. */
public class AfterSuper extends Shape {
    final int mean;

    AfterSuper(String name, int... sides) {
        super(name, sides);
        int sum = 0;
        for (int side : sides) {
            sum += side;
        }
        mean = sum / sides.length; // frame: reproduced
    }

    public static void main(String[] args) {
        System.out.println(new AfterSuper("triangle", 3, 4, 5).mean);
        System.out.println(new AfterSuper("point", args.length == 0 ? new int[0] : new int[] {1}).mean); // frame: reproduced
    }
}
