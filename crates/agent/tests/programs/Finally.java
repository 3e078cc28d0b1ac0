// exit 1
// snapshot main java.lang.IllegalStateException
//   0 Finally.work("one")
//   0 Finally.guarded("one")
//   0 Finally.main([Ljava.lang.String;)
public class Finally {
    static int noise(int number) {
        int more = number + 1;
        throw new RuntimeException("noise " + more);
    }

    static void work(String text) {
        int length = text.length();
        throw new IllegalStateException(text + length);
    }

    static void guarded(String text) {
        try {
            work(text);
        } finally {
            // Other exceptions come and go, more than a few, while the first one waits.
            for (int i = 0; i < 40; i++) {
                try {
                    noise(i);
                } catch (RuntimeException expected) {
                    continue;
                }
            }
        }
    }

    public static void main(String[] args) {
        System.out.println("start");
        guarded("one");
    }
}
