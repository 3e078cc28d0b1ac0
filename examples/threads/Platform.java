// crash: java.lang.StringIndexOutOfBoundsException

/** Uncaught on a thread of the program's own, with a handler of its own: both stay as they were. */
public class Platform implements Runnable {
    private final String[] words;

    Platform(String... words) {
        this.words = words;
    }

    @Override
    public void run() {
        StringBuilder initials = new StringBuilder();
        for (String word : words) {
            initials.append(word.charAt(0)); // frame: reproduced
        }
        System.out.println(initials);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(new Platform("unit", "", "test"), "initials");
        worker.setUncaughtExceptionHandler((thread, e) -> System.out.println(thread.getName() + " saw " + e.getClass().getName()));
        worker.start();
        worker.join();
    }
}
