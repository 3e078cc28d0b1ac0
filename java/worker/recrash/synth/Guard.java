package recrash.synth;

import java.io.FilePermission;
import java.net.NetPermission;
import java.net.SocketPermission;
import java.security.Permission;

/**
 * Keeps programs from changing files, from the network, from other processes and from ending the JVM. Where the JDK has no
 * security manager any more (24 and newer), recrash runs programs with an older one.
 */
@SuppressWarnings({"removal", "deprecation"})
final class Guard extends SecurityManager {
    /** Set while a program runs, never while answers are written. */
    static volatile boolean up;

    /** What was refused to the current program; it explains verdicts. */
    static volatile String refused;

    static boolean install() {
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
                        || permission instanceof NetPermission
                        || (permission instanceof FilePermission
                                && (actions.contains("write")
                                        || actions.contains("delete")
                                        || actions.contains("execute")))
                        || name.startsWith("exitVM")
                        || name.equals("setSecurityManager")
                        || name.equals("setIO")
                        || name.equals("shutdownHooks");
        if (harmful) {
            refused = name.startsWith("exitVM") ? "System.exit" : actions.isEmpty() ? name : actions + " " + name;
            throw new SecurityException("recrash synth does not allow: " + refused);
        }
    }

    @Override
    public void checkPermission(Permission permission, Object context) {
        checkPermission(permission);
    }
}
