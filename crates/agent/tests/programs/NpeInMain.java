// exit 1
// snapshot main java.lang.NullPointerException
//   0 NpeInMain.length:15(this=NpeInMain, null, 5, 2.5, true, 'x')
//   0 NpeInMain.main:20([Ljava.lang.String;)
import java.util.ArrayList;
import java.util.List;

public class NpeInMain {
    private String name = "fred";
    private final List<String> log = new ArrayList<>();

    int length(String text, long more, double factor, boolean flag, char c) {
        name = "changed";
        log.add(name);
        return text.trim().length() + (int) more;
    }

    public static void main(String[] args) {
        System.out.println("start");
        new NpeInMain().length(null, 5, 2.5, true, 'x');
    }
}
