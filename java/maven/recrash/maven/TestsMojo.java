package recrash.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;

/**
 * Makes tests of the snapshots that a test run under recrash has left and that have none yet. The parameters are described
 * in META-INF/maven/plugin.xml.
 */
public final class TestsMojo extends AbstractMojo {
    /** As the recrash command has it: nothing could be reproduced, and the table says why. */
    private static final int NOT_REPRODUCED = 3;

    private boolean skip;
    private File executable;
    private File out;
    private String format;
    private File report;
    private List<String> testsOptions;
    private List<String> classPath;
    private List<String> sources;
    private List<String> testSources;

    @Override
    public void execute() throws MojoExecutionException {
        if (skip) {
            getLog().info("recrash is left out: recrash.skip is set");
            return;
        }
        List<String> snapshots = snapshots();
        if (snapshots.isEmpty()) {
            getLog().info("no new snapshot in " + out);
            return;
        }
        List<String> arguments = new ArrayList<>();
        arguments.add("tests");
        arguments.add("--classpath=" + String.join(File.pathSeparator, classPath));
        arguments.add("--format=" + format);
        if (report != null) {
            arguments.add("--report=" + report);
        }
        addFolders(arguments, sources);
        addFolders(arguments, testSources);
        if (testsOptions != null) {
            arguments.addAll(testsOptions);
        }
        arguments.addAll(snapshots);
        // As they are, without the log's prefix, and not behind its colours: annotations count at the beginning of a line.
        System.out.println();
        int status = Executable.find(executable).run(arguments, System.out::println);
        if (status != 0 && status != NOT_REPRODUCED) {
            throw new MojoExecutionException("recrash tests ended with status " + status
                    + "; its own message stands above");
        }
    }

    private static void addFolders(List<String> arguments, List<String> folders) {
        for (String folder : folders) {
            if (new File(folder).isDirectory()) {
                arguments.add("--sources=" + folder);
            }
        }
    }

    /** Those without a folder of tests beside them. */
    private List<String> snapshots() {
        String suffix = ".recrash";
        List<String> found = new ArrayList<>();
        File[] files = out.listFiles();
        for (File file : files == null ? new File[0] : files) {
            String name = file.getName();
            if (name.endsWith(suffix) && file.isFile()) {
                File tests = new File(out, name.substring(0, name.length() - suffix.length()));
                if (!new File(tests, "verdicts.json").isFile()) {
                    found.add(file.getPath());
                }
            }
        }
        String[] sorted = found.toArray(new String[0]);
        Arrays.sort(sorted);
        return Arrays.asList(sorted);
    }
}
