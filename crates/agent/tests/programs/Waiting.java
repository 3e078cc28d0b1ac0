// exit 1
/** Runs until told to fail, so that an agent can be attached first. */
public class Waiting {
    static int fail(String text, int number) {
        String trimmed = text == null ? null : text.trim();
        return trimmed.length() + number;
    }

    public static void main(String[] args) throws Exception {
        System.out.println(ProcessHandle.current().pid());
        System.in.read();
        System.out.println(fail(null, 3));
    }
}
