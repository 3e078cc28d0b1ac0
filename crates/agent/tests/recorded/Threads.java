// exit 0

import java.util.ArrayList;
import java.util.List;

/** Threads of the driver, at one object of the inside. */
public class Threads {
    public static void main(String[] args) throws InterruptedException {
        Counter counter = new Counter();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(new Thread(() -> {
                for (int j = 0; j < 1000; j++) {
                    counter.next();
                }
            }));
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        // What threads did that are gone is kept, however many there were.
        threads = null;
        for (int i = 0; i < 100; i++) {
            Thread one = new Thread(() -> counter.next());
            one.start();
            one.join();
            if (i % 20 == 0) {
                System.gc();
            }
        }
        System.out.println(counter.next());
    }
}

class Counter {
    private int count;

    synchronized int next() {
        return ++count;
    }
}
