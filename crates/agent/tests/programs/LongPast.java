// exit 1
// snapshot main java.lang.IllegalStateException
//   0 LongPast.fail(this=LongPast, 200000)
//   0 LongPast.run(this=LongPast, 200000)
//   0 LongPast.main([Ljava.lang.String;)
/** Writes more than any journal holds. */
public class LongPast {
    int left;
    int right;

    void step(int number) {
        left = number;
        right = number;
    }

    void fail(int number) {
        step(number + 1);
        if (left == right) {
            throw new IllegalStateException();
        }
    }

    void run(int steps) {
        for (int i = 1; i <= steps; i++) {
            step(i);
        }
        fail(steps);
    }

    public static void main(String[] args) {
        new LongPast().run(200_000);
    }
}
