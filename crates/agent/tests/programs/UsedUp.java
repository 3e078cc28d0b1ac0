// exit 1
// snapshot main java.lang.IllegalStateException
//   0 UsedUp.fail(this=UsedUp)
//   0 UsedUp.parse(this=UsedUp, UsedUp$LineReader)
//   0 UsedUp.main([Ljava.lang.String;)

import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** What `parse` is given is read by code of other classes, in a few steps from one to the next, before it fails. */
public class UsedUp {
    static final class LineReader {
        private final InputStream in;
        private final LineContext context = new LineContext();
        private int lines;

        LineReader(InputStream in) {
            this.in = in;
        }

        int length() throws Exception {
            int length = 0;
            while (in.read() > ' ') {
                length++;
            }
            lines++;
            context.longest = Math.max(context.longest, length);
            return length;
        }
    }

    static final class LineContext {
        private int longest;
    }

    private int parse(LineReader reader) throws Exception {
        int total = 0;
        for (int length = reader.length(); length > 0; length = reader.length()) {
            total += length;
            if (total > 4) {
                total = fail();
            }
            if (total < 0) {
                total = -total;
            }
        }
        return total;
    }

    private int fail() {
        String text = toString().trim();
        throw new IllegalStateException(text.isEmpty() ? "" : "full");
    }

    public static void main(String[] args) throws Exception {
        LineReader reader = new LineReader(new ByteArrayInputStream("ab\ncde\n\n".getBytes()));
        new UsedUp().parse(reader);
    }
}
