// crash: java.lang.NegativeArraySizeException

/** Fails while the arguments of `super(...)` are computed: there is no receiver yet. */
public class BeforeSuper extends Shape {
    BeforeSuper(String name, int corners) {
        super(name + " with " + corners + " corners", new int[corners]); // frame: reproduced
    }

    public static void main(String[] args) {
        String name = args.length > 0 ? args[0] : "void";
        new BeforeSuper(name, name.length() - 10); // frame: reproduced
    }
}
