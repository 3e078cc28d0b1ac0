// exit 0
// snapshot three-1 java.lang.ArithmeticException
//   0 ThreeAtOnce.divide(1)
//   0 ThreeAtOnce.fail(0)
//   0 ThreeAtOnce.run(0)
//   0 ThreeAtOnce.lambda$main$0(0)
// snapshot three-2 java.lang.ArrayIndexOutOfBoundsException
//   0 ThreeAtOnce.pick(1)
//   0 ThreeAtOnce.fail(1)
//   0 ThreeAtOnce.run(1)
//   0 ThreeAtOnce.lambda$main$0(1)
// snapshot three-3 java.lang.NumberFormatException
//   0 ThreeAtOnce.parse("three")
//   0 ThreeAtOnce.fail(2)
//   0 ThreeAtOnce.run(2)
//   0 ThreeAtOnce.lambda$main$0(2)
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;

/** Three threads fail in the same moment; none is let go. */
public class ThreeAtOnce {
    static int divide(int number) {
        int half = number / 2;
        return number / half;
    }

    static int pick(int index) {
        int[] numbers = new int[index];
        return numbers[index] + numbers[0];
    }

    static int parse(String text) {
        int number = Integer.parseInt(text);
        return number + text.length();
    }

    static int fail(int which) {
        switch (which) {
            case 0:
                return divide(1);
            case 1:
                return pick(1);
            default:
                return parse("three");
        }
    }

    private static CyclicBarrier barrier;

    static int run(int which) throws Exception {
        barrier.await();
        return fail(which) + barrier.getParties();
    }

    public static void main(String[] args) throws Exception {
        barrier = new CyclicBarrier(3);
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            int which = i;
            threads[i] = new Thread(new FutureTask<>(() -> run(which)), "three-" + (which + 1));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
