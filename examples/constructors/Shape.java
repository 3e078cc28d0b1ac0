abstract class Shape {
    final String name;
    final int[] sides;

    Shape(String name, int[] sides) {
        this.name = name;
        this.sides = sides;
        for (int side : sides) {
            if (side <= 0) {
                throw new IllegalArgumentException(name + " has a side of " + side); // frame in InsideSuper: reproduced
            }
        }
    }
}
