import java.net.*;

public class Loaders {
    public static class Task implements Runnable {
        static int zero;

        public void run() {
            System.out.println(5 / zero);
        }
    }

    static void fail(Runnable task) throws Exception {
        Thread thread = new Thread(task, "task");
        thread.start();
        thread.join();
    }

    public static void main(String[] args) throws Exception {
        URL[] here = {Loaders.class.getProtectionDomain().getCodeSource().getLocation()};
        Runnable[] tasks = new Runnable[2];
        for (int i = 0; i < 2; i++) {
            ClassLoader loader = new URLClassLoader(here, ClassLoader.getPlatformClassLoader());
            tasks[i] = (Runnable) loader.loadClass("Loaders$Task").getDeclaredConstructor().newInstance();
        }
        fail(tasks[0]);
        fail(tasks[1]);
    }
}
