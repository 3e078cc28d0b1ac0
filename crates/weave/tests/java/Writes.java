import java.util.function.IntUnaryOperator;

/** Every kind of write; `notes:` says what the journal gets before it, in the order in which the program runs. */
public class Writes {
    static int count;
    static double rate = 0.5;
    static String last = "none";
    static final int[] TABLE = new int[2];

    // Static fields are not noted in <clinit>.
    static {
        TABLE[1] = 3;
        // notes: I 1
    }

    int i = 1;
    long j = 2;
    float f = 3;
    double d = 4;
    boolean z = true;
    byte b = 5;
    short s = 6;
    char c = 'c';
    String text = "text";
    Writes next;

    Writes() {}

    /** `this` in a constructor is not noted, another object is. */
    Writes(Writes other, boolean choose) {
        this.next = choose ? other : null;
        this.i = other.i + 1;
        other.i = 9;
        // notes: Writes i 32
    }

    void own(int by) {
        i += by;
        // notes: Writes i 1
        j += by;
        // notes: Writes j 2L
        f += by;
        // notes: Writes f 3.0f
        d += by;
        // notes: Writes d 4.0d
        z = !z;
        // notes: Writes z 1
        b += by;
        // notes: Writes b 5
        s += by;
        // notes: Writes s 6
        c += by;
        // notes: Writes c 99
        text = text + by;
        // notes: Writes text text
    }

    static void others(Writes w) {
        w.i = 10;
        // notes: Writes i 32
        w.j = 20;
        // notes: Writes j 64
        w.f = 30;
        // notes: Writes f 32
        w.d = 40;
        // notes: Writes d 64
        w.z = false;
        // notes: Writes z 8
        w.b = 50;
        // notes: Writes b 8
        w.s = 60;
        // notes: Writes s 16
        w.c = 'x';
        // notes: Writes c 16
        w.next = w;
        // notes: Writes next reference
        w.i += w.next.j > 3 ? 1 : 2;
        // notes: Writes i 32
    }

    static class Wide extends Writes {
        double extra = 0.25;
    }

    void cast(double value) {
        ((Wide) this).extra = value + i;
        // notes: Wide extra 64
    }

    /** Small enough to get no handler. */
    void setText(String text) {
        this.text = text;
        // notes: Writes text text7
    }

    static void statics(boolean up) {
        count += up ? 1 : -1;
        // notes: static count 0
        rate *= 2;
        // notes: static rate 0.5d
        last = "now";
        // notes: static last none
    }

    static void elements(int[] a, long[] l, float[] f, double[] d, byte[] b, boolean[] z, short[] s, char[] c, Object[] o) {
        a[1]++;
        // notes: I 1
        l[0] = 5;
        // notes: J 0
        f[0] = 5;
        // notes: F 0
        d[0] = 5;
        // notes: D 0
        b[0] = 5;
        // notes: byte[] 0
        z[0] = true;
        // notes: boolean[] 0
        s[0] = 5;
        // notes: S 0
        c[0] = 'z';
        // notes: C 0
        o[0] = "o";
        // notes: L 0
        System.arraycopy(a, 0, a, 1, 1);
        // notes: arraycopy 1 1
    }

    /** What the method makes itself is not noted, wherever it is kept meanwhile. */
    static Writes fresh(int size) {
        Writes made = new Writes();
        made.i = size;
        int[] numbers = new int[size];
        for (int n = 0; n < size; n++) {
            numbers[n] = n;
        }
        Object[] copy = new Object[] {made, numbers.clone()};
        System.arraycopy(copy, 0, copy, 1, 1);
        char[] letters = "abc".toCharArray();
        letters[0] = 'x';
        made.text = new String(letters) + numbers[size - 1] + copy.length;
        return made;
    }

    /** Perhaps made here, perhaps not. */
    static int either(Writes given) {
        Writes w = given == null ? new Writes() : given;
        w.i = 77;
        // notes: Writes i 32
        return w.i;
    }

    static void failing(Writes w, Object[] array, int index) {
        try {
            w.i = 1;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage() + " in " + e.getStackTrace()[0].getMethodName());
        }
        // notes: static i 32
        try {
            array[index] = "x";
        } catch (RuntimeException e) {
            System.out.println(e + " in " + e.getStackTrace()[0].getMethodName());
        }
        // notes: L 5
    }

    static int lambda(int[] calls) {
        IntUnaryOperator operator = x -> calls[0] = x;
        // notes: I 0
        return operator.applyAsInt(4);
    }

    /** A frame notes a field of its own object once. */
    void again(boolean also) {
        i = 100;
        // notes: Writes i 77
        i = 101;
        if (also) {
            i = 102;
            j = 103;
            // notes: Writes j 2L
        }
        // Here it may be the first, and control may come by either way.
        j = 104;
        // notes: Writes j 103L
    }

    /** In front of a loop, even if nothing is written there in the end; the loop itself notes only what changes its place. */
    void loops(int[] numbers) {
        for (int n = 0; n < numbers.length; n++) {
            i += n;
            while (i > 1000) {
                i--;
                count--;
            }
            numbers[n] = i;
        }
        // notes: Writes i 102
        // In front of the inner loop, which is come to three times:
        // notes: static count 1
        // notes: static count 1
        // notes: static count 1
        // notes: I 0
        // notes: I 1
        // notes: I 2
    }

    /** A loop that somebody jumps to: the field is noted on entry. */
    int switched(int start) {
        switch (start) {
            case 0:
                do {
                    i++;
                } while (i < 100);
            default:
                i = start;
                return i;
        }
        // notes: Writes i 105
    }

    /** What a loop does now and then is noted then, and a write that others have come before is not. */
    void nowAndThen(int times) {
        for (int n = 0; n < times; n++) {
            if (n == 1) {
                j = n;
                // notes: Writes j 104L
            }
        }
        if (times > 2) {
            i = 200;
            // notes: Writes i 0
        } else {
            i = 201;
        }
        i = 202;
    }

    public static void main(String[] args) {
        Writes w = new Writes();
        w.own(7);
        others(w);
        w.setText("set");
        statics(true);
        new Wide().cast(2);
        elements(new int[2], new long[1], new float[1], new double[1], new byte[1], new boolean[1], new short[1],
                new char[1], new Object[1]);
        Writes made = fresh(3);
        Writes second = new Writes(w, true);
        System.out.println(either(second) + " " + w.i + " " + w.j + " " + w.f + " " + w.d + " " + w.z + " " + w.b + " " + w.s
                + " " + w.c + " " + w.text + " " + made.text + " " + made.i + " " + count + " " + rate + " " + last);
        failing(null, new Object[2], 5);
        System.out.println(lambda(new int[1]));
        second.again(true);
        second.loops(new int[3]);
        System.out.println(second.i + " " + second.j + " " + second.switched(0) + " " + count);
        second.nowAndThen(3);
    }
}
