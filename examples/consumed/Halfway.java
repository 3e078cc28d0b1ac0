// crash: java.lang.NullPointerException

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/**
 * A callee of `open` has changed two fields, of which one is led back: neither from there nor from the state at the crash
 * does `open` crash as it did, but from the state that `check` found. `main` cannot be run again, so no second look can help.
 */
public class Halfway {
    private String[] names;
    private int read;
    private int checks;

    void open(boolean anew) {
        if (anew && read == 0) {
            read();
        }
        check(); // frame: reproduced
    }

    private void read() {
        names = new String[] {"Ada", null};
        read = names.length;
    }

    private void check() {
        checks++;
        if (checks > 1) {
            return;
        }
        int count = names.length;
        for (int i = 0; i < count; i++) {
            System.out.println(names[i].trim()); // frame: reproduced
        }
    }

    public static void main(String[] args) throws IOException {
        Path opened = Paths.get("opened");
        if (!Files.exists(opened)) {
            Files.createFile(opened);
            new Halfway().open(true); // frame: passes
        }
    }
}
