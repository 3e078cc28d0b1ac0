package shop;

import recrash.Recrash;

/** Captures out of compiled code, which has done without the Point by then. */
public class Hot {
    static class Point {
        final int x;
        final long y;
        final double z;

        Point(int x, long y, double z) {
            this.x = x;
            this.y = y;
            this.z = z;
        }
    }

    private int seen;
    private long sum;

    long outer(int i, long l, double d, float f) {
        Point point = new Point(i, l, d);
        return inner(point, i, l, d, f) + seen;
    }

    private long inner(Point point, int i, long l, double d, float f) {
        seen++;
        sum += point.x + point.y + (long) point.z;
        i = i + 1;
        tell(i, l);
        return sum + i + l;
    }

    /** Not to be compiled into its callers, see the test. */
    private void tell(int i, long l) {
        if (i % 100_000 == 1) {
            Recrash.capture("hot " + (i + l > 0));
        }
        seen--;
    }

    public static void main(String[] args) {
        Hot hot = new Hot();
        long all = 0;
        for (int i = 0; i < 400_000; i++) {
            all += hot.outer(i, i * 3L + (1L << 33), i / 2.0, i / 4f);
        }
        System.out.println(all);
    }
}
