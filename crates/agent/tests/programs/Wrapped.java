// exit 1
// snapshot main java.lang.RuntimeException <- java.lang.IllegalStateException <- java.lang.NumberFormatException
//   2 Wrapped.parse("12x")
//   1 Wrapped.load("file", "12x")
//   0 Wrapped.start("file")
//   0 Wrapped.main([Ljava.lang.String;)
public class Wrapped {
    static int parse(String text) {
        String trimmed = text.trim();
        return Integer.parseInt(trimmed) + trimmed.length();
    }

    static int load(String file, String text) {
        try {
            return parse(text) + file.length();
        } catch (NumberFormatException e) {
            throw new IllegalStateException("cannot load " + file, e);
        }
    }

    static void start(String file) {
        try {
            System.out.println(load(file, "12x"));
        } catch (IllegalStateException e) {
            throw new RuntimeException(e);
        }
    }

    public static void main(String[] args) {
        start("file");
        System.out.println("never");
    }
}
