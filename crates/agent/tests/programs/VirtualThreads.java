// since 21
// exit 0
// snapshot virtual java.lang.ArithmeticException
//   0 VirtualThreads.divide(7, 0)
//   0 VirtualThreads.run(this=VirtualThreads)
import java.lang.reflect.Method;

public class VirtualThreads implements Runnable {
    static int divide(int a, int b) {
        int sum = a + b;
        int product = a * b;
        return sum / b + product;
    }

    @Override
    public void run() {
        System.out.println(divide(7, 0) + divide(8, 1) + divide(9, 2));
    }

    public static void main(String[] args) throws Exception {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        Method start = Class.forName("java.lang.Thread$Builder").getMethod("unstarted", Runnable.class);
        Thread thread = (Thread) start.invoke(builder, new VirtualThreads());
        thread.setName("virtual");
        thread.start();
        thread.join();
        System.out.println("joined");
    }
}
