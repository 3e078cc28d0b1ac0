import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Each stage lets a callee change one kind of state and then enters the next; the last one fails only if everything happened
 * exactly once. To run a stage again, its state must be led back to what it was on entry, by undoing what callees did that
 * have returned since. `main` cannot be run again, so no second look can help.
 */
final class Stages {
    static final class Cell {
        long value;
        Cell next;
    }

    private static int total;

    private final List<String> names = new ArrayList<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private final StringBuilder text = new StringBuilder("text");
    private final AtomicInteger ticks = new AtomicInteger();
    private int seen;

    void start(int[] numbers, Cell cell) throws IOException {
        Path started = Paths.get("started");
        if (!Files.exists(started)) {
            Files.createFile(started);
            list(numbers, cell); // frame: passes
        }
    }

    private void list(int[] numbers, Cell cell) {
        names.add("a");
        names.add("b");
        names.remove("a");
        map(numbers, cell); // frame in ByReference: passes // frame in Undone: reproduced
    }

    private void map(int[] numbers, Cell cell) {
        counts.merge("a", 1, Integer::sum);
        builder(numbers, cell); // frame in ByReference: passes // frame in Undone: reproduced
    }

    private void builder(int[] numbers, Cell cell) {
        text.insert(0, "some ").append('!');
        atomic(numbers, cell); // frame in ByReference: passes // frame in Undone: reproduced
    }

    private void atomic(int[] numbers, Cell cell) {
        ticks.incrementAndGet();
        array(numbers, cell); // frame in ByReference: passes // frame in Undone: reproduced
    }

    private void array(int[] numbers, Cell cell) {
        System.arraycopy(numbers, 0, numbers, 1, numbers.length - 1);
        element(numbers, cell); // frame in ByReference: passes // frame in Undone: reproduced
    }

    private void element(int[] numbers, Cell cell) {
        raise(numbers);
        object(numbers, cell); // frame in ByReference: passes // frame in Undone: reproduced
    }

    private void object(int[] numbers, Cell cell) {
        chain(cell);
        field(numbers, cell); // frame in ByReference: passes // frame in Undone: reproduced
    }

    private void field(int[] numbers, Cell cell) {
        see();
        statics(numbers, cell); // frame in ByReference: passes // frame in Undone: reproduced
    }

    private void statics(int[] numbers, Cell cell) {
        count(numbers.length);
        check(numbers, cell); // frame: reproduced
    }

    private static void raise(int[] numbers) {
        numbers[0] += 10;
    }

    private static void chain(Cell cell) {
        Cell next = new Cell();
        next.value = cell.value + 1;
        cell.next = next;
        cell.value += 5;
    }

    private void see() {
        seen++;
    }

    private static void count(int numbers) {
        total += numbers - 2;
    }

    private void check(int[] numbers, Cell cell) {
        String state = names + " " + counts + " " + text + " " + ticks + " " + numbers[0] + numbers[1] + numbers[2] + " "
                + cell.value + cell.next.value + " " + seen + " " + total;
        if (state.equals("[b] {a=1} some text! 1 1112 51 1 1")) {
            throw new IllegalStateException(state); // frame: reproduced
        }
        System.out.println(state);
    }

    public static void main(String[] args) throws IOException {
        new Stages().start(new int[] {1, 2, 3}, new Cell()); // frame: passes
    }
}
