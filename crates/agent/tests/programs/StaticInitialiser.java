// exit 1
// snapshot main java.lang.ExceptionInInitializerError <- java.lang.NullPointerException
//   1 StaticInitialiser$Config.read(null)
//   1 StaticInitialiser$Config.<clinit> -
//   0 StaticInitialiser.main([Ljava.lang.String;)
public class StaticInitialiser {
    static class Config {
        static final int SIZE = read(System.getProperty("no.such.property"));

        static int read(String text) {
            String trimmed = text.trim();
            return trimmed.length() * 2;
        }
    }

    public static void main(String[] args) {
        System.out.println("start");
        System.out.println(Config.SIZE);
    }
}
