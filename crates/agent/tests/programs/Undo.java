// exit 1
// snapshot main java.lang.IllegalStateException
//   0 Undo.inner(this=Undo, [I)
//   0 Undo.outer(this=Undo, [I)
//   0 Undo.main([Ljava.lang.String;)
import java.util.ArrayList;
import java.util.List;

/** State changes before, in and after calls; what each frame saw on entry is known to the tests. */
public class Undo {
    static int total = 1;

    int count = 1;
    String name = "first";
    final List<String> list = new ArrayList<>(4);

    void change(int[] numbers, String to) {
        count++;
        name = to;
        numbers[1] *= 10;
        total *= 10;
        list.add(to);
    }

    void inner(int[] numbers) {
        change(numbers, "third");
        change(numbers, "fourth");
        throw new IllegalStateException(list.toString());
    }

    void outer(int[] numbers) {
        change(numbers, "second");
        inner(numbers);
    }

    public static void main(String[] args) {
        new Undo().outer(new int[] {5, 6, 7});
    }
}
