// crash: java.lang.NullPointerException

import java.util.Random;

// The program of figure 5 of the ReCrash paper: it crashes when the dice give 0, which nobody can repeat by hand.
// It throws the dice so often that every run of the example ends in the crash.
public class RandomCrash {
    public String hexAbs(int x) {
        String result = null;
        if (x > 0) {
            result = Integer.toHexString(x);
        } else if (x < 0) {
            result = Integer.toHexString(-x);
        }
        return toUpperCase(result); // frame: reproduced
    }

    public String toUpperCase(String s) {
        return s.toUpperCase(); // too small to be monitored
    }

    public static void main(String[] args) {
        Random random = new Random();
        RandomCrash crash = new RandomCrash();
        for (int i = 0; i < 10_000; i++) {
            crash.hexAbs(random.nextInt(200) - 100); // frame: reproduced
        }
    }
}
