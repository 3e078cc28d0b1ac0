import com.google.javascript.jscomp.CommandLineRunner;
import com.google.javascript.jscomp.CompilationLevel;
import com.google.javascript.jscomp.Compiler;
import com.google.javascript.jscomp.CompilerOptions;
import com.google.javascript.jscomp.SourceFile;
import com.google.javascript.jscomp.WarningLevel;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;

/** Arguments: rounds, a JavaScript file. The Closure compiler optimises it; the whole work stays on one thread. */
public final class ClosureRounds {
    public static void main(String[] args) throws Exception {
        String script = new String(Files.readAllBytes(Paths.get(args[1])), StandardCharsets.UTF_8);
        Rounds.run(Integer.parseInt(args[0]), round -> {
            Compiler compiler = new Compiler(new PrintStream(PrintStream.nullOutputStream()));
            compiler.disableThreads();
            CompilerOptions options = new CompilerOptions();
            CompilationLevel.SIMPLE_OPTIMIZATIONS.setOptionsForCompilationLevel(options);
            WarningLevel.QUIET.setOptionsForWarningLevel(options);
            options.setEnvironment(CompilerOptions.Environment.BROWSER);
            List<SourceFile> externs = CommandLineRunner.getBuiltinExterns(CompilerOptions.Environment.BROWSER);
            compiler.compile(externs, List.of(SourceFile.fromCode("script.js", script)), options);
            return compiler.toSource().hashCode();
        });
    }
}
