// jdk: 21
// crash: java.lang.ClassCastException

import java.util.Map;

/** The same on a virtual thread. */
public class Virtual {
    static void sum(Map<String, Object> numbers) {
        int sum = 0;
        for (Object number : numbers.values()) {
            sum += (Integer) number; // frame: reproduced
        }
        System.out.println(sum);
    }

    public static void main(String[] args) throws InterruptedException {
        Map<String, Object> numbers = Map.of("one", "1");
        Thread.ofVirtual().name("adder").start(() -> sum(numbers)).join(); // frame: reproduced
    }
}
