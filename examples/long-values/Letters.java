// crash: java.lang.StringIndexOutOfBoundsException
// jdk: 17

/** A long text and long arrays that a test reads from files beside it; the same text in two frames is one file. */
class Letters {
    record Stamp(byte[] picture, int[] colours) {}

    static char first(String letter, String heading, Stamp stamp) {
        if (stamp.picture.length + stamp.colours[99] < 800) {
            throw new IllegalArgumentException("a small stamp");
        }
        int at = letter.indexOf(heading);
        return letter.charAt(at); // frame: reproduced
    }

    static String read(String letter, Stamp stamp, double[] weights, char[] seal) {
        double total = weights[80] + seal.length;
        return first(letter, "Yours \u00e4ver", stamp) + " " + total; // frame: reproduced
    }

    public static void main(String[] args) {
        StringBuilder letter = new StringBuilder("Dear Ada,\n\n");
        for (int i = 0; i < 60; i++) {
            letter.append("line ").append(i).append(" \u2014 \"caf\u00e9\" costs ").append(i * 7).append("\u20ac\r\n");
        }
        byte[] picture = new byte[700];
        int[] colours = new int[100];
        double[] weights = new double[90];
        char[] seal = new char[300];
        for (int i = 0; i < 700; i++) {
            picture[i] = (byte) (i * 31);
            colours[i % 100] = i * i - 3;
            weights[i % 90] = i / 7.0;
            seal[i % 300] = (char) ('a' + i % 23);
        }
        System.out.println(read(letter.toString(), new Stamp(picture, colours), weights, seal)); // frame: reproduced
    }
}
