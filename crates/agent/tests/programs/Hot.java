// exit 1
// snapshot main java.lang.IllegalStateException
//   0 Wheel.fail(this=Wheel)
//   0 Wheel.stop(this=Wheel, Wheel, Ledger)
//   0 Hot.main([Ljava.lang.String;)
/** One class writes all the time, another one seldom. */
public class Hot {
    public static void main(String[] args) {
        Wheel wheel = new Wheel();
        long end = System.nanoTime() + Long.getLong("millis", 1) * 1_000_000;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 1000; i++) {
                wheel.turn();
            }
        }
        wheel.turns = 10;
        wheel.stop(new Wheel(), new Ledger());
    }
}

class Wheel {
    int turns;
    boolean stopped;

    void turn() {
        turns++;
    }

    void stop(Wheel other, Ledger ledger) {
        stopped = true;
        ledger.enter(turns, other);
        fail();
    }

    void fail() {
        turns = -1;
        throw new IllegalStateException();
    }
}

class Ledger {
    int last;

    void enter(int number, Wheel wheel) {
        last = number;
        wheel.turn();
    }
}
