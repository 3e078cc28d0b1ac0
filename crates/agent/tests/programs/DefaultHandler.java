// exit 1
// snapshot main java.lang.IndexOutOfBoundsException
//   0 DefaultHandler.pick(java.util.ArrayList, 3)
//   0 DefaultHandler.main([Ljava.lang.String;)
import java.util.ArrayList;
import java.util.List;

public class DefaultHandler {
    static String pick(List<String> list, int index) {
        list.add("a");
        String found = list.get(index);
        return found + list.size();
    }

    public static void main(String[] args) {
        Thread.setDefaultUncaughtExceptionHandler(new Thread.UncaughtExceptionHandler() {
            @Override
            public void uncaughtException(Thread thread, Throwable t) {
                System.out.println("default handler: " + t.getMessage());
            }
        });
        System.out.println(pick(new ArrayList<>(), 3));
    }
}
