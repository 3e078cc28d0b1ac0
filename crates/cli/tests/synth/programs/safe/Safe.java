package safe;

/** Crashes that no call leads to: of a state that nothing makes, in a method that nothing calls, of a class nobody can make. */
public class Safe {
    private byte mode;
    private static int turns;

    public String open(int times) {
        if (mode == 73 && times > 2) {
            throw new IllegalStateException("mode");
            // trace: java.lang.IllegalStateException: mode | open
        }
        return "closed";
    }

    public static int close(int by) {
        return 100 / (turns - 4120);
        // trace: java.lang.ArithmeticException: / by zero | close
    }

    private int turn(String key, int[] teeth) {
        return key.length() / teeth.length;
        // trace: java.lang.ArithmeticException: / by zero | turn
    }

    static final class Room {
        private final String name;

        private Room(String name) {
            this.name = name;
        }

        int weigh(int load) {
            return name.length() + load;
            // trace: java.lang.NullPointerException | Safe$Room.weigh
        }
    }
}
