// crash: java.lang.IllegalArgumentException

/** The super class's constructor fails: the sub class's frame is inside `super(...)`, where no handler can be. */
public class InsideSuper extends Shape {
    final double area;

    InsideSuper(long width, String name, double scale, int height, boolean filled) {
        super(filled ? name : null, new int[] {(int) (width * scale), height}); // frame: reproduced
        area = width * scale * height;
    }

    public static void main(String[] args) {
        int height = args.length - 3;
        System.out.println(new InsideSuper(1L << 20, "rectangle", 0.5, height, true).area); // frame: reproduced
    }
}
