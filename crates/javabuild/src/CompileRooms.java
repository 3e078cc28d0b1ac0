import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.spi.ToolProvider;

/**
 * Runs the compiler once for each line of a file, whose parts are the arguments, apart by tabs. All in one JVM, because most
 * of the time that a compiler takes is spent warming up. Ends where one run fails.
 */
public final class CompileRooms {
    private CompileRooms() {}

    public static void main(String[] arguments) throws IOException {
        ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
        PrintWriter out = new PrintWriter(System.out, true);
        for (String line : Files.readAllLines(Paths.get(arguments[0]), StandardCharsets.UTF_8)) {
            if (javac.run(out, out, line.split("\t")) != 0) {
                System.exit(1);
            }
        }
    }
}
