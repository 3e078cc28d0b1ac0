// exit 1
// snapshot main java.lang.IllegalStateException
//   0 Wheel.fail(this=Wheel)
//   0 Wheel.stop(this=Wheel, Wheel, Ledger, Tally)
//   0 Wheel.spin(this=Wheel)
//   0 Hot.main([Ljava.lang.String;)
/** One class writes all the time, others seldom. */
public class Hot {
    static final long END = System.nanoTime() + Long.getLong("millis", 1) * 1_000_000;

    public static void main(String[] args) {
        new Wheel().spin();
    }
}

class Wheel {
    int turns;
    boolean stopped;

    /** Runs the code that it was entered with, whatever becomes of its class. */
    void spin() {
        while (System.nanoTime() < Hot.END) {
            for (int i = 0; i < 1000; i++) {
                turn();
            }
        }
        turns = 10;
        stop(new Wheel(), new Ledger(), new Tally());
    }

    void turn() {
        turns++;
    }

    void stop(Wheel other, Ledger ledger, Tally tally) {
        stopped = true;
        ledger.enter(turns, other);
        Spoke.count(tally);
        tally.enter(turns);
        fail();
    }

    void fail() {
        turns = -1;
        throw new IllegalStateException();
    }

    /** Loaded when the others have long been woven. */
    static class Spoke {
        static void count(Tally tally) {
            tally.count++;
            Tally.all++;
        }
    }
}

class Ledger {
    int last;
    int[] numbers = new int[1];

    void enter(int number, Wheel wheel) {
        last = number;
        numbers[0] = number;
        wheel.turn();
    }
}

class Tally {
    static int all;
    int count;
    int last;
    int[] numbers = new int[1];

    void enter(int number) {
        last = number;
        numbers[0] = number;
        all += number;
    }
}
