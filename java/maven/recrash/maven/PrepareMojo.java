package recrash.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;

/**
 * Lets the test phase run under recrash: puts the JVM option that loads the agent in front of the property that surefire
 * and failsafe start their JVMs with. The parameters are described in META-INF/maven/plugin.xml.
 */
public final class PrepareMojo extends AbstractMojo {
    private boolean skip;
    private File executable;
    private File out;
    private String propertyName;
    private String failures;
    private String excludes;
    private List<String> agentOptions;
    /** Those of the project itself, not a copy. */
    private Properties properties;

    @Override
    public void execute() throws MojoExecutionException {
        if (skip) {
            getLog().info("recrash is left out: recrash.skip is set");
            return;
        }
        if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux")) {
            getLog().info("recrash is left out: it captures on Linux only");
            return;
        }
        Executable recrash = Executable.find(executable);
        List<String> arguments = new ArrayList<>();
        arguments.add("agent-path");
        arguments.add("--out=" + out);
        arguments.add("--failures=" + failures);
        for (String glob : excludes.split(",")) {
            arguments.add("--exclude=" + glob.trim());
        }
        if (agentOptions != null) {
            arguments.addAll(agentOptions);
        }
        StringBuilder answer = new StringBuilder();
        int status = recrash.run(arguments, answer::append);
        if (status != 0 || !answer.toString().startsWith("-agentpath:")) {
            throw new MojoExecutionException(recrash + " " + String.join(" ", arguments) + " ended with status " + status
                    + "; its own message stands above");
        }
        String before = properties.getProperty(propertyName, "").trim();
        String option = quoted(answer.toString());
        properties.setProperty(propertyName, before.isEmpty() ? option : option + " " + before);
        getLog().info(propertyName + " set to " + properties.getProperty(propertyName));
    }

    /** Surefire splits at blanks, which only the path of the library can have. */
    private static String quoted(String option) {
        return option.indexOf(' ') < 0 ? option : '"' + option + '"';
    }
}
