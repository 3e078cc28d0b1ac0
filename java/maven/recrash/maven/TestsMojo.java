package recrash.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;

/**
 * Makes tests of the snapshots that a test run under recrash has left and that have none yet. The parameters are described
 * in META-INF/maven/plugin.xml.
 */
public final class TestsMojo extends AbstractMojo {
    /** As the recrash command has it: nothing could be reproduced, and the table says why. */
    private static final int NOT_REPRODUCED = 3;

    private static final String SUFFIX = ".recrash";

    private boolean skip;
    private File executable;
    private File out;
    private String format;
    private File report;
    private List<String> testsOptions;
    private File classes;
    private File testClasses;
    private List<String> sources;
    private List<String> testSources;

    @Override
    public void execute() throws MojoExecutionException {
        if (skip) {
            getLog().info("recrash is left out: recrash.skip is set");
            return;
        }
        leaveKnown();
        List<String> snapshots = snapshots();
        if (snapshots.isEmpty()) {
            getLog().info("no new snapshot in " + out);
            return;
        }
        List<String> arguments = new ArrayList<>();
        arguments.add("tests");
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

    /** Removes snapshots of failures that had their tests before, unless anything was compiled since. */
    private void leaveKnown() {
        long compiled = Math.max(newest(classes), newest(testClasses));
        Set<String> known = new HashSet<>();
        for (File snapshot : files()) {
            File verdicts = verdicts(snapshot);
            if (verdicts.isFile() && verdicts.lastModified() >= compiled) {
                known.add(failure(snapshot));
            }
        }
        int removed = 0;
        for (File snapshot : files()) {
            if (known.contains(failure(snapshot)) && !verdicts(snapshot).isFile() && snapshot.delete()) {
                removed++;
            }
        }
        if (removed > 0) {
            getLog().info(removed + " of the failures have their tests already, and nothing was compiled since");
        }
    }

    /** The file without the number of the process: type and fingerprint. */
    private static String failure(File snapshot) {
        String name = snapshot.getName();
        int first = name.indexOf('-');
        int second = name.indexOf('-', first + 1);
        return second < 0 ? name : name.substring(0, second);
    }

    /** When the last class was written. */
    private static long newest(File file) {
        File[] inside = file.listFiles();
        if (inside == null) {
            return file.getName().endsWith(".class") ? file.lastModified() : 0;
        }
        long newest = 0;
        for (File each : inside) {
            newest = Math.max(newest, newest(each));
        }
        return newest;
    }

    private static File verdicts(File snapshot) {
        String name = snapshot.getName();
        String tests = name.substring(0, name.length() - SUFFIX.length());
        return new File(new File(snapshot.getParentFile(), tests), "verdicts.json");
    }

    private List<File> files() {
        List<File> found = new ArrayList<>();
        File[] files = out.listFiles();
        for (File file : files == null ? new File[0] : files) {
            if (file.getName().endsWith(SUFFIX) && file.isFile()) {
                found.add(file);
            }
        }
        return found;
    }

    /** Those without a folder of tests beside them. */
    private List<String> snapshots() {
        List<String> found = new ArrayList<>();
        for (File file : files()) {
            if (!verdicts(file).isFile()) {
                found.add(file.getPath());
            }
        }
        String[] sorted = found.toArray(new String[0]);
        Arrays.sort(sorted);
        return Arrays.asList(sorted);
    }
}
