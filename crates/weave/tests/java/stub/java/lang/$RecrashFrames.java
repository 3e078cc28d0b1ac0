package java.lang;

/** Prints values after their frame. Objects other than strings and boxes are shown by their class. */
public final class $RecrashFrames {
    private static final $RecrashFrames THE_ONE = new $RecrashFrames();
    private static final boolean SILENT = Boolean.getBoolean("recrash.silent");

    static $RecrashFrames start(String line) {
        print("\n" + line);
        return THE_ONE;
    }

    private static void print(String text) {
        if (!SILENT) {
            System.err.print(text);
        }
    }

    $RecrashFrames with(Object value) {
        put(value);
        return this;
    }

    $RecrashFrames with(int value) {
        put(value);
        return this;
    }

    public void inside() {}

    public void put(Object value) {
        boolean plain = value == null || value instanceof String || value instanceof Number;
        print(" " + (plain ? value : value.getClass().getSimpleName()));
    }

    public void put(int value) {
        print(" " + value);
    }

    public void put(long value) {
        print(" " + value + "L");
    }

    public void put(float value) {
        print(" " + value + "f");
    }

    public void put(double value) {
        print(" " + value + "d");
    }
}
