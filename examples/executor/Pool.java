// crash: java.util.concurrent.ExecutionException
// cause: java.lang.ArithmeticException

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The task fails on a thread of the pool; the pool keeps the exception and hands it over, wrapped, in `Future.get`. */
public class Pool {
    static final class Average implements Callable<Integer> {
        final int[] numbers;

        Average(int... numbers) {
            this.numbers = numbers;
        }

        @Override
        public Integer call() {
            int sum = 0;
            for (int number : numbers) {
                sum += number;
            }
            return sum / numbers.length; // frame: reproduced
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try {
            Future<Integer> first = pool.submit(new Average(1, 2, 3));
            Future<Integer> second = pool.submit(new Average());
            System.out.println(first.get() + second.get()); // frame: reproduced
        } finally {
            pool.shutdown();
        }
    }
}
