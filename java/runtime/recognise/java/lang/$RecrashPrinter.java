package java.lang;

/**
 * The one who prints a stack trace: a logger does so for what it logs, and whether that is an error was said when it was
 * given to the logger. Whoever else prints one means that something failed.
 */
final class $RecrashPrinter {
    /** So many callers are looked at: loggers are near. */
    private static final int NEAR = 40;
    private static final String[] LOUD = {"error", "severe", "fatal", "critical"};
    /** Packages of loggers, and of what belongs to one. */
    private static final String[] PACKAGES = {
        ".logging.", ".log4j.", ".logback.", ".logger.", ".log.", ".slf4j.", ".tinylog.", ".logmanager.", ".flogger.",
    };
    /** What may follow {@code Log} in the name of a logger, where a small letter does. */
    private static final String[] ENDINGS = {"ger", "ging", "back"};

    private $RecrashPrinter() {}

    /** Whether this thread prints for a logger that does not call it an error. */
    static boolean isQuiet() {
        StackTraceElement[] stack = $RecrashAgent.trace(new Throwable());
        boolean isLogger = false;
        for (int i = 0; stack != null && i < stack.length && i < NEAR; i++) {
            if (logs(stack[i].getClassName())) {
                isLogger = true;
                if (isLoud(stack[i].getMethodName())) {
                    return false;
                }
            }
        }
        return isLogger;
    }

    private static boolean isLoud(String method) {
        for (int i = 0; i < LOUD.length; i++) {
            if (method.startsWith(LOUD[i])) {
                return true;
            }
        }
        return false;
    }

    private static boolean logs(String type) {
        if (type.startsWith("java.lang.$Recrash")) {
            return false;
        }
        for (int i = 0; i < PACKAGES.length; i++) {
            if (type.contains(PACKAGES[i])) {
                return true;
            }
        }
        int from = type.lastIndexOf('.') + 1;
        for (int at = type.indexOf("Log", from); at >= 0; at = type.indexOf("Log", at + 1)) {
            if (endsWord(type, at + 3)) {
                return true;
            }
        }
        return false;
    }

    private static boolean endsWord(String type, int at) {
        if (at >= type.length() || !isSmall(type.charAt(at))) {
            return true;
        }
        for (int i = 0; i < ENDINGS.length; i++) {
            int end = at + ENDINGS[i].length();
            if (type.startsWith(ENDINGS[i], at) && (end >= type.length() || !isSmall(type.charAt(end)))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSmall(char letter) {
        return letter >= 'a' && letter <= 'z';
    }
}
