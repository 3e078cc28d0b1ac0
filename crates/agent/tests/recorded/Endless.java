// exit 0

/** Goes on until it is killed. */
public class Endless {
    public static void main(String[] args) {
        Ticker ticker = new Ticker();
        System.out.println("started");
        while (true) {
            ticker.tick("at " + ticker.ticks());
        }
    }
}

class Ticker {
    private long ticks;

    void tick(String text) {
        ticks += text.length() > 0 ? 1 : 0;
    }

    long ticks() {
        return ticks;
    }
}
