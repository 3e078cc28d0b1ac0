// crash: java.lang.IllegalStateException

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * By the time of the crash the JDK's own code has read the stream to its end and the iterator past the name that mattered.
 * `main` cannot be run again, so no second look can help: the frames themselves have to know where both were.
 */
public class Cursors {
    private final InputStream in;

    Cursors(InputStream in) {
        this.in = in;
    }

    /** For each name a length and as many characters. */
    void print(Iterator<String> names) throws IOException {
        int count = 0;
        while (names.hasNext()) {
            String name = names.next();
            String value = value(); // frame: reproduced
            System.out.println(++count + ". " + name + " is " + (value.isEmpty() ? "not there" : value));
        }
        System.out.println(count + " values");
    }

    private String value() throws IOException {
        int length = in.read();
        if (length <= 0) {
            return "";
        }
        byte[] text = in.readNBytes(length);
        if (text.length < length) {
            throw new IllegalStateException("cut off after " + text.length + " of " + length); // frame: reproduced
        }
        return new String(text);
    }

    public static void main(String[] args) throws IOException {
        Path opened = Paths.get("printed");
        if (!Files.exists(opened)) {
            Files.createFile(opened);
            List<String> names = new ArrayList<>(List.of("colour", "size"));
            byte[] values = {3, 'r', 'e', 'd', 5, 'l', 'a'};
            new Cursors(new ByteArrayInputStream(values)).print(names.iterator()); // frame: passes
        }
    }
}
