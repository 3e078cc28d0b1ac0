// flags -Xss1m
// exit 1
// snapshot main java.lang.StackOverflowError

/** The stack ends anywhere, in the code that copies as well. */
public class OverflowInObject {
    private int depth;

    private int descend(int[] steps) {
        depth++;
        steps[0]++;
        return descend(steps) + 1;
    }

    public static void main(String[] args) {
        OverflowInObject object = new OverflowInObject();
        int[] steps = new int[4];
        try {
            object.descend(steps);
        } catch (StackOverflowError expected) {
            System.out.println(object.depth == steps[0] || object.depth == steps[0] + 1);
        }
        object.descend(steps);
    }
}
