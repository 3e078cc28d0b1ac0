// exit 0
// options on=java.lang.IllegalStateException:Caught#deep,failures=uncaught
// snapshot main java.io.IOException
//   0 Caught.deep(6, 1.5, 7, "a", "b", "c", "d", "e", "f", 2.5)
//   0 Caught.caller("f")
//   0 Caught.main([Ljava.lang.String;)
// snapshot main java.lang.IllegalStateException
//   0 Shop.stock("somebody")
//   0 Caught.look("somebody")
//   0 Caught.main([Ljava.lang.String;)
import java.io.IOException;

/** Named, and so captured with all frames, though the first caller catches them. */
public class Caught {
    /** More values than one call takes along. */
    static void deep(
            int i, double d, long l, String a, String b, String c, String e, String f, String g, float h)
            throws IOException {
        if (a.length() + b.length() + c.length() + e.length() + f.length() + i > 0) {
            throw new IOException(g + h + d + l);
        }
        System.out.println("never");
    }

    static String caller(String g) {
        try {
            deep(6, 1.5, 7, "a", "b", "c", "d", "e", g, 2.5f);
            return "never";
        } catch (IOException e) {
            return "caught";
        }
    }

    static String look(String customer) {
        try {
            return "" + Shop.stock(customer);
        } catch (IllegalStateException e) {
            return "caught";
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            System.out.println(look("somebody") + caller("f"));
        }
        try {
            Shop.find("not named");
        } catch (IOException e) {
            System.out.println("caught");
        }
    }
}
