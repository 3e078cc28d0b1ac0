// crash: java.lang.ArrayIndexOutOfBoundsException

/** Nothing here can be called from outside by plain Java: a private nested class, private and static private methods. */
class Vault {
    private final int[] shelves = {3, 1, 4};

    private static int slot(int[] shelves, long code) {
        int index = (int) (code % 7);
        int slot = shelves[index]; // frame: reproduced
        return slot + 1;
    }

    private final class Dial {
        private final long turns;

        private Dial(long turns) {
            this.turns = turns;
        }

        private int read() {
            long code = turns * 3;
            int slot = slot(shelves, code); // frame: reproduced
            return slot * 2;
        }
    }

    private int open(long turns) {
        Dial dial = new Dial(turns);
        int reading = dial.read(); // frame: reproduced
        return reading + shelves.length;
    }

    public static void main(String[] args) {
        Vault vault = new Vault();
        System.out.println(vault.open(7));
        System.out.println(vault.open(4)); // frame: reproduced
    }
}
