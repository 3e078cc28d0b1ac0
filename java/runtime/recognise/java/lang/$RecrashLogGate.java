package java.lang;

/**
 * Called by loggers; the agent's rules say by which of their methods.
 *
 * <p>These methods are called for every log line, or nearly. They return at once where nothing was thrown, call no method of
 * the program or of a logger, and read what they need from fields.
 */
public final class $RecrashLogGate {
    private static final int JUL_SEVERE = 1000;
    private static final int LOGBACK_ERROR = 40000;
    private static final int LOG4J_1_ERROR = 40000;
    /** The lower, the graver. */
    private static final int LOG4J_2_ERROR = 200;
    /** What levels call themselves that are errors. */
    private static final String[] LOUD = {"ERROR", "SEVERE", "FATAL", "CRITICAL", "ALERT", "EMERGENCY"};

    private static final $RecrashNamedField JUL_THROWN = $RecrashNamedField.object("thrown");
    private static final $RecrashNamedField JUL_LEVEL = $RecrashNamedField.object("level");
    private static final $RecrashNamedField JUL_VALUE = $RecrashNamedField.number("value");
    private static final $RecrashNamedField LOGBACK_PROXY = $RecrashNamedField.object("throwableProxy");
    private static final $RecrashNamedField LOGBACK_THROWABLE = $RecrashNamedField.object("throwable");
    private static final $RecrashNamedField LOGBACK_LEVEL = $RecrashNamedField.object("level");
    private static final $RecrashNamedField LOGBACK_VALUE = $RecrashNamedField.number("levelInt");
    private static final $RecrashNamedField LOG4J_1_VALUE = $RecrashNamedField.number("level");
    private static final $RecrashNamedField LOG4J_2_VALUE = $RecrashNamedField.number("intLevel");
    private static final $RecrashNamedField LOG4J_2_OBJECT = $RecrashNamedField.object("obj");
    private static final $RecrashNamedField LEVEL_NAME = $RecrashNamedField.object("name");
    private static final $RecrashNamedField LEVEL_TEXT = $RecrashNamedField.object("levelStr");

    private $RecrashLogGate() {}

    /** {@code java.util.logging.Logger.log(LogRecord)}. */
    public static void julLogs(Object logRecord) {
        try {
            recordHas(logRecord, JUL_THROWN.read(logRecord));
        } catch (Throwable trouble) {
            // The program goes on as if recrash were not here.
        }
    }

    /** {@code java.util.logging.LogRecord.setThrown(Throwable)}. */
    public static void recordGets(Object logRecord, Object thrown) {
        try {
            recordHas(logRecord, thrown);
        } catch (Throwable trouble) {
            // As above.
        }
    }

    private static void recordHas(Object logRecord, Object thrown) {
        if (thrown instanceof Throwable
                && JUL_VALUE.number(JUL_LEVEL.read(logRecord), Integer.MIN_VALUE) >= JUL_SEVERE) {
            logged(thrown);
        }
    }

    /** Logback's {@code Logger.callAppenders(ILoggingEvent)}. */
    public static void logbackLogs(Object event) {
        try {
            Object proxy = LOGBACK_PROXY.read(event);
            if (proxy != null
                    && LOGBACK_VALUE.number(LOGBACK_LEVEL.read(event), Integer.MIN_VALUE) >= LOGBACK_ERROR) {
                logged(LOGBACK_THROWABLE.read(proxy));
            }
        } catch (Throwable trouble) {
            // As above.
        }
    }

    /** The two methods of Log4j 2's {@code AbstractLogger} through which all others go. */
    public static void log4j2Logs(Object level, Object message, Object thrown) {
        try {
            Object error = thrown == null ? LOG4J_2_OBJECT.read(message) : thrown;
            if (error instanceof Throwable && LOG4J_2_VALUE.number(level, Integer.MAX_VALUE) <= LOG4J_2_ERROR) {
                logged(error);
            }
        } catch (Throwable trouble) {
            // As above.
        }
    }

    /** Log4j 1's {@code Category.forcedLog(String, Priority, Object, Throwable)}. */
    public static void log4j1Logs(Object priority, Object message, Object thrown) {
        try {
            // logger.error(exception) is common there.
            Object error = thrown == null ? message : thrown;
            if (error instanceof Throwable && LOG4J_1_VALUE.number(priority, Integer.MIN_VALUE) >= LOG4J_1_ERROR) {
                logged(error);
            }
        } catch (Throwable trouble) {
            // As above.
        }
    }

    /** A method of any logger that says by its name that it logs an error; the exception, or the last arguments. */
    public static void logsError(Object last) {
        try {
            Object thrown = thrown(last);
            if (thrown != null) {
                logged(thrown);
            }
        } catch (Throwable trouble) {
            // As above.
        }
    }

    /** A method of any logger that takes a level. */
    public static void logsAtLevel(Object level, Object last) {
        try {
            Object thrown = thrown(last);
            if (thrown != null && isLoud(level)) {
                logged(thrown);
            }
        } catch (Throwable trouble) {
            // As above.
        }
    }

    private static Object thrown(Object last) {
        Object thrown = last;
        if (last instanceof Object[]) {
            Object[] all = (Object[]) last;
            thrown = all.length == 0 ? null : all[all.length - 1];
        }
        return thrown instanceof Throwable ? thrown : null;
    }

    private static boolean isLoud(Object level) {
        Object name = LEVEL_TEXT.read(level);
        name = name == null ? LEVEL_NAME.read(level) : name;
        for (int i = 0; i < LOUD.length; i++) {
            if (LOUD[i].equals(name)) {
                return true;
            }
        }
        return false;
    }

    private static void logged(Object thrown) {
        $RecrashHandledFailures.seen($RecrashFailureKind.LOGGED, thrown);
    }
}
