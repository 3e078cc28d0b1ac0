import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jdt.core.compiler.batch.BatchCompiler;

/** Arguments: rounds, source folder, output folder. The Eclipse compiler compiles a library's sources. */
public final class EcjRounds {
    public static void main(String[] args) throws Exception {
        List<String> command = new ArrayList<>(List.of("-11", "-nowarn", "-proc:none", "-g", "-encoding", "UTF-8", "-d", args[2], args[1]));
        Rounds.run(Integer.parseInt(args[0]), round -> {
            StringWriter messages = new StringWriter();
            PrintWriter writer = new PrintWriter(messages);
            boolean compiled = BatchCompiler.compile(command.toArray(new String[0]), writer, writer, null);
            if (!compiled) {
                throw new IllegalStateException(messages.toString());
            }
            return bytes(new File(args[2]));
        });
    }

    private static long bytes(File file) {
        File[] children = file.listFiles();
        if (children == null) {
            return file.length();
        }
        long sum = 0;
        for (File child : children) {
            sum += bytes(child);
        }
        return sum;
    }
}
