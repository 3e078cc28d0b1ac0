package recrash.maven;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.maven.plugin.MojoExecutionException;

/** The recrash command on this machine. */
final class Executable {
    private static final String NAME = "recrash";

    private final File file;

    private Executable(File file) {
        this.file = file;
    }

    /** The file that is named; else recrash below RECRASH_HOME, else on the PATH. */
    static Executable find(File named) throws MojoExecutionException {
        if (named != null) {
            if (!named.canExecute()) {
                throw new MojoExecutionException(named + " is not an executable file; recrash.executable must name"
                        + " the recrash command");
            }
            return new Executable(named);
        }
        List<File> places = new ArrayList<>();
        String home = System.getenv("RECRASH_HOME");
        if (home != null && !home.isEmpty()) {
            places.add(new File(home, "bin/" + NAME));
            places.add(new File(home, NAME));
        }
        String path = System.getenv("PATH");
        for (String folder : (path == null ? "" : path).split(File.pathSeparator)) {
            if (!folder.isEmpty()) {
                places.add(new File(folder, NAME));
            }
        }
        for (File place : places) {
            if (place.isFile() && place.canExecute()) {
                return new Executable(place);
            }
        }
        throw new MojoExecutionException("the recrash command is neither below RECRASH_HOME nor on the PATH; install it,"
                + " name it with -Drecrash.executable=FILE, or leave it out with -Drecrash.skip");
    }

    /** Runs the command and hands on each line of its output; its exit status. Its messages go where Maven's go. */
    int run(List<String> arguments, Consumer<String> lines) throws MojoExecutionException {
        List<String> command = new ArrayList<>();
        command.add(file.getPath());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        // Maven's own JVM may be watched; the tools that recrash starts shall not be.
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            try (BufferedReader reader = new BufferedReader(
                    new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line; (line = reader.readLine()) != null; ) {
                    lines.accept(line);
                }
            }
            return process.waitFor();
        } catch (IOException e) {
            throw new MojoExecutionException(file + " cannot be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MojoExecutionException(file + " was interrupted", e);
        }
    }

    @Override
    public String toString() {
        return file.getPath();
    }
}
