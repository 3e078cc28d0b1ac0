// crash: java.lang.NumberFormatException

import java.io.CharArrayReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/**
 * By the time the program has failed, `finally` has taken the name off the list, and the reader is closed. `main` cannot be
 * run again, so no second look can help: what both were like has to be seen while the exception leaves the frames.
 */
public class Closed {
    private final List<String> names = new ArrayList<>();

    /** Reads a name and a value. */
    void read(Reader in) throws IOException {
        names.add(word(in));
        try {
            set(word(in)); // frame in Closed: reproduced // frame in ClosedByReference: other-exception
        } finally {
            names.remove(names.size() - 1);
        }
    }

    private void set(String value) {
        String name = names.get(names.size() - 1);
        System.out.println(name + " is " + Integer.parseInt(value)); // frame in Closed: reproduced // frame in ClosedByReference: other-exception
    }

    private static String word(Reader in) throws IOException {
        StringBuilder word = new StringBuilder();
        for (int c = in.read(); c > ' '; c = in.read()) {
            word.append((char) c);
        }
        return word.toString();
    }

    public static void main(String[] args) throws IOException {
        Path begun = Paths.get("begun");
        if (!Files.exists(begun)) {
            Files.createFile(begun);
            Closed closed = new Closed();
            try (Reader in = new CharArrayReader("width 12 height tall".toCharArray())) {
                closed.read(in);
                closed.read(in); // frame in Closed: passes // frame in ClosedByReference: passes
            }
        }
    }
}
