package java.lang;

/** Stands in for the journal: prints what woven code notes, one line per note, and reads no fields itself. */
public final class $RecrashJournal {
    public static int now() {
        if (!Boolean.getBoolean("recrash.silent")) {
            System.err.print("\nasked " + new Throwable().getStackTrace()[1].getMethodName());
        }
        return 7;
    }

    private static void note(String what, int place, String old) {
        System.err.print("\nnote " + what + " " + place + " " + old);
    }

    private static String name(Object o) {
        return o == null ? "static" : o.getClass().getSimpleName();
    }

    public static void put(Object o, Object old, int place) {
        note(name(o), place, String.valueOf(old));
    }

    public static void put(Object o, int old, int place) {
        note(name(o), place, old + "");
    }

    public static void put(Object o, long old, int place) {
        note(name(o), place, old + "L");
    }

    public static void put(Object o, float old, int place) {
        note(name(o), place, old + "f");
    }

    public static void put(Object o, double old, int place) {
        note(name(o), place, old + "d");
    }

    public static void field(Object o, int place) {
        note(o == null ? "null" : name(o), place, "reference");
    }

    public static void field8(Object o, int place) {
        note(name(o), place, "8");
    }

    public static void field16(Object o, int place) {
        note(name(o), place, "16");
    }

    public static void field32(Object o, int place) {
        note(name(o), place, "32");
    }

    public static void field64(Object o, int place) {
        note(name(o), place, "64");
    }

    public static void element(Object[] array, int index) {
        note("L", index, "");
    }

    public static void element(int[] array, int index) {
        note("I", index, "");
    }

    public static void element(long[] array, int index) {
        note("J", index, "");
    }

    public static void element(float[] array, int index) {
        note("F", index, "");
    }

    public static void element(double[] array, int index) {
        note("D", index, "");
    }

    public static void element(char[] array, int index) {
        note("C", index, "");
    }

    public static void element(short[] array, int index) {
        note("S", index, "");
    }

    public static void element(Object array, int index) {
        note(name(array), index, "");
    }

    public static void arraycopy(Object from, int start, Object to, int at, int length) {
        note("arraycopy", at, length + "");
        System.arraycopy(from, start, to, at, length);
    }
}
