// exit 1
// snapshot main java.lang.IllegalStateException
//   0 Cursors.field(this=Cursors)
//   0 Cursors.characters(java.text.StringCharacterIterator)
//   0 Cursors.tokens(java.util.StringTokenizer)
//   0 Cursors.position(java.text.ParsePosition)
//   0 Cursors.buffer(java.nio.HeapByteBuffer)
//   0 Cursors.fixed(java.util.Arrays$ArrayItr)
//   0 Cursors.iterator(java.util.ArrayList$Itr)
//   0 Cursors.reader(java.io.CharArrayReader)
//   0 Cursors.stream(java.io.ByteArrayInputStream)
//   0 Cursors.main([Ljava.lang.String;)

import java.io.ByteArrayInputStream;
import java.io.CharArrayReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.text.CharacterIterator;
import java.text.DecimalFormat;
import java.text.ParsePosition;
import java.text.StringCharacterIterator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.StringTokenizer;

/** Each method reads on in what it was given, by methods of the JDK, before it fails. */
public class Cursors {
    private final InputStream in;

    Cursors(InputStream in) {
        this.in = in;
    }

    static void stream(InputStream in) throws IOException {
        in.skip(2);
        reader(new CharArrayReader("abc".toCharArray()));
    }

    static void reader(Reader reader) throws IOException {
        reader.read();
        Iterator<String> names = new ArrayList<>(List.of("a", "b", "c")).iterator();
        names.next();
        iterator(names);
    }

    static void iterator(Iterator<String> names) throws IOException {
        names.next();
        fixed(Arrays.asList("a", "b").iterator());
    }

    static void fixed(Iterator<String> names) throws IOException {
        names.next();
        buffer(ByteBuffer.wrap(new byte[8]));
    }

    static void buffer(ByteBuffer bytes) throws IOException {
        bytes.getInt();
        bytes.flip();
        position(new ParsePosition(1));
    }

    static void position(ParsePosition at) throws IOException {
        new DecimalFormat("0").parse("x12y", at);
        tokens(new StringTokenizer("a b"));
    }

    static void tokens(StringTokenizer words) throws IOException {
        words.nextToken();
        CharacterIterator characters = new StringCharacterIterator("abc");
        characters.next();
        characters(characters);
    }

    static void characters(CharacterIterator characters) throws IOException {
        characters.next();
        new Cursors(new ByteArrayInputStream(new byte[9])).field();
    }

    void field() throws IOException {
        if (in.read() == 0) {
            throw new IllegalStateException("read " + (9 - in.available()));
        }
    }

    public static void main(String[] args) throws IOException {
        InputStream in = new ByteArrayInputStream(new byte[3]);
        in.read();
        stream(in);
    }
}
