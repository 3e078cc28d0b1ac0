// crash: java.lang.IllegalArgumentException

/** The super class's constructor fails: the sub class's frame is inside `super(...)`, where no handler can be. */
public class InsideSuper extends Shape {
    final int area;

    InsideSuper(int width, int height) {
        super("rectangle", new int[] {width, height, width, height}); // frame: reproduced
        area = width * height;
    }

    public static void main(String[] args) {
        int height = args.length - 3;
        System.out.println(new InsideSuper(4, height).area); // frame: reproduced
    }
}
