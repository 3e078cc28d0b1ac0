package recrash.synth;

import java.io.FilePermission;
import java.io.IOException;
import java.net.NetPermission;
import java.net.SocketPermission;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.Permission;

/**
 * Keeps programs from changing files, from the network, from other processes and from ending the JVM. Where the JDK has no
 * security manager any more (24 and newer), recrash runs programs with an older one.
 */
@SuppressWarnings({"removal", "deprecation"})
public final class Guard extends SecurityManager {
    /** The folder for temporary files is there for these programs alone. */
    private static final String SCRATCH = System.getProperty("java.io.tmpdir");

    private static final String OWN_NAME = ownName();

    /** Set while a program runs, never while answers are written. */
    public static volatile boolean up;

    /** What was refused to the current program; it explains verdicts. */
    static volatile String refused;

    public static boolean install() {
        try {
            System.setSecurityManager(new Guard());
            return true;
        } catch (UnsupportedOperationException e) {
            return false;
        }
    }

    @Override
    public void checkPermission(Permission permission) {
        if (!up) {
            return;
        }
        String name = permission.getName();
        String actions = permission.getActions();
        boolean harmful =
                permission instanceof SocketPermission
                        || (permission instanceof NetPermission && !name.equals("getNetworkInformation"))
                        || (permission instanceof FilePermission
                                && !name.startsWith(SCRATCH)
                                && (actions.contains("write")
                                        || actions.contains("delete")
                                        || actions.contains("execute")))
                        || name.startsWith("exitVM")
                        || name.equals("setSecurityManager")
                        || name.equals("setIO");
        if (harmful) {
            refuse(name.startsWith("exitVM") ? "System.exit" : actions.isEmpty() ? name : actions + " " + name);
        }
    }

    /** Asked directly: a permission for a host's name fails in its own way where the name is a strange one. */
    @Override
    public void checkConnect(String host, int port) {
        boolean lookedUp = port == -1;
        if (up && !(lookedUp && isLocal(host))) {
            refuse((lookedUp ? "resolve " : "connect ") + host);
        }
    }

    @Override
    public void checkConnect(String host, int port, Object context) {
        checkConnect(host, port);
    }

    /** An address in digits, or this machine's own name, is looked up without asking anybody. */
    private static boolean isLocal(String host) {
        return host.equals("localhost")
                || host.equals(OWN_NAME)
                || host.matches("[0-9.]+|\\[?[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(%.*)?\\]?");
    }

    /** Without asking the network for it; empty where that cannot be. */
    private static String ownName() {
        try {
            return new String(Files.readAllBytes(Paths.get("/proc/sys/kernel/hostname")), StandardCharsets.UTF_8).trim();
        } catch (IOException | RuntimeException e) {
            String name = System.getenv("HOSTNAME");
            return name == null ? "" : name;
        }
    }

    private static void refuse(String what) {
        refused = what;
        throw new SecurityException("recrash synth does not allow: " + what);
    }

    @Override
    public void checkPermission(Permission permission, Object context) {
        checkPermission(permission);
    }
}
