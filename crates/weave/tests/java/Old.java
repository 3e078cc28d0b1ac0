/** Old code with subroutines; `fuzz/seeds/class/old-jsr` is this file compiled by ecj with `-1.3 -target 1.1`. */
public class Old {
    int field;
    long total;

    Old(int a) {
        field = a;
    }

    int subroutine(int a, String s) {
        int result = 0;
        try {
            result = a / s.length();
            if (a > 5) {
                return result;
            }
            result++;
        } finally {
            field = result;
            try {
                total += a;
            } finally {
                result = 7;
            }
        }
        a = a + 1;
        return result / (a - a);
    }

    static int switches(int a, long b) {
        switch (a) {
            case 1: b += 1; break;
            case 2: b += 2; break;
            case 3: b += 3; break;
            case 5000: a = 7; break;
            default: b = 0;
        }
        switch (a) {
            case 1: case 2: case 3: return (int) b;
            case 4: return 4;
            default: throw new IllegalArgumentException("old " + a + b);
        }
    }

    public static void main(String[] args) {
        Old old = new Old(3);
        for (int i = 0; i < 9; i++) {
            try {
                System.out.println(old.subroutine(i, i % 2 == 0 ? "" : "text"));
            } catch (ArithmeticException e) {
                System.out.println("threw " + e.getMessage() + " " + old.field + " " + old.total);
            }
            try {
                System.out.println(switches(i == 8 ? 5000 : i, i * 1000000000L));
            } catch (IllegalArgumentException e) {
                System.out.println("threw " + e.getMessage());
            }
        }
    }
}
