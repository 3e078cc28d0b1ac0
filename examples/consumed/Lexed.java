// crash: java.lang.NumberFormatException

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/**
 * By the time of the crash the lexer, a class of its own, is behind the word that mattered. `main` cannot be run again, so no
 * second look can help: the frames themselves have to know what the lexer was like.
 */
public class Lexed {
    private final Lexer lexer;

    Lexed(Lexer lexer) {
        this.lexer = lexer;
    }

    /** Adds up `1 + ( 2 + 3 ) )`. */
    int sum() {
        int total = 0;
        while (!lexer.is(")")) {
            String word = lexer.take();
            if (word.equals("(")) {
                total += sum(); // frame in Lexed: reproduced // frame in LexedByReference: passes
            } else if (!word.equals("+")) {
                total += Integer.parseInt(word); // frame in Lexed: reproduced // frame in LexedByReference: passes
            }
        }
        lexer.take();
        return total;
    }

    public static void main(String[] args) throws IOException {
        Path begun = Paths.get("lexed");
        if (!Files.exists(begun)) {
            Files.createFile(begun);
            System.out.println(new Lexed(new Lexer("1 + ( 2 + 3 ) )")).sum());
            new Lexed(new Lexer("1 + ( 2 + three ) )")).sum(); // frame in Lexed: passes // frame in LexedByReference: passes
        }
    }
}

/** Words, one after the other. */
final class Lexer {
    private final String[] words;
    private int next;

    Lexer(String text) {
        words = text.split(" ");
    }

    String take() {
        String word = words[next];
        next++;
        return word;
    }

    boolean is(String wanted) {
        return words[next].equals(wanted);
    }
}
