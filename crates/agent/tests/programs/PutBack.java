// exit 1
// snapshot main java.lang.IllegalStateException
//   0 PutBack.inner(this=PutBack, java.io.CharArrayReader)
//   0 PutBack.outer(this=PutBack, java.io.CharArrayReader)
//   0 PutBack.main([Ljava.lang.String;)

import java.io.CharArrayReader;
import java.util.ArrayList;
import java.util.List;

/** What was on the list when `inner` and `outer` were entered is taken off, and the reader closed, on the way out. */
public class PutBack {
    private final List<String> open = new ArrayList<>();

    private void outer(CharArrayReader reader) throws Exception {
        open.add("outer");
        try (CharArrayReader closed = reader) {
            open.add("inner");
            try {
                inner(closed);
            } finally {
                open.remove(open.size() - 1);
            }
        } finally {
            open.remove(open.size() - 1);
        }
    }

    private void inner(CharArrayReader reader) throws Exception {
        int first = reader.read();
        throw new IllegalStateException(open + " " + first);
    }

    public static void main(String[] args) throws Exception {
        // Exceptions that come and go are none of it.
        for (int i = 0; i < 1000; i++) {
            try {
                new PutBack().inner(new CharArrayReader(new char[] {'a'}));
            } catch (IllegalStateException expected) {
                continue;
            }
        }
        Thread.sleep(100);
        new PutBack().outer(new CharArrayReader(new char[] {'b'}));
    }
}
