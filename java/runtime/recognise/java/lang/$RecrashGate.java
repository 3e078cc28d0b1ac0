package java.lang;

/**
 * Called first thing by the methods of the JDK and of libraries through which failures pass that never reach the top of
 * a thread; the agent's table of gates says which.
 *
 * <p>These methods are called for every log line. They return at once where nothing was thrown, call no method of the
 * program, of a logger or of a test framework, and read what they need from fields.
 */
public final class $RecrashGate {
    private static final int JUL_SEVERE = 1000;
    private static final int LOGBACK_ERROR = 40000;
    private static final int LOG4J_1_ERROR = 40000;
    /** The lower, the graver. */
    private static final int LOG4J_2_ERROR = 200;

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
    private static final $RecrashNamedField JUNIT_4_THROWN = $RecrashNamedField.object("fThrownException");
    private static final $RecrashNamedField TESTNG_THROWN = $RecrashNamedField.object("m_throwable");

    private $RecrashGate() {}

    /** {@code java.util.logging.Logger.log(LogRecord)}. */
    public static void julLogs(Object logRecord) {
        try {
            Object thrown = JUL_THROWN.read(logRecord);
            if (thrown instanceof Throwable
                    && JUL_VALUE.number(JUL_LEVEL.read(logRecord), Integer.MIN_VALUE) >= JUL_SEVERE) {
                $RecrashHandledFailures.seen($RecrashFailureKind.LOGGED, thrown);
            }
        } catch (Throwable trouble) {
            // The program goes on as if recrash were not here.
        }
    }

    /** Logback's {@code Logger.callAppenders(ILoggingEvent)}. */
    public static void logbackLogs(Object event) {
        try {
            Object proxy = LOGBACK_PROXY.read(event);
            if (proxy != null
                    && LOGBACK_VALUE.number(LOGBACK_LEVEL.read(event), Integer.MIN_VALUE) >= LOGBACK_ERROR) {
                $RecrashHandledFailures.seen($RecrashFailureKind.LOGGED, LOGBACK_THROWABLE.read(proxy));
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
                $RecrashHandledFailures.seen($RecrashFailureKind.LOGGED, error);
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
                $RecrashHandledFailures.seen($RecrashFailureKind.LOGGED, error);
            }
        } catch (Throwable trouble) {
            // As above.
        }
    }

    /** A future gets its exception. */
    public static void futureStores(Object thrown) {
        seen($RecrashFailureKind.FUTURES, thrown);
    }

    /** A web server or framework deals with what a request's handler threw. */
    public static void serverAnswers(Object thrown) {
        seen($RecrashFailureKind.WEB, thrown);
    }

    /** {@code TestExecutionResult.failed(Throwable)}, which every engine of the JUnit Platform calls. */
    public static void testFails(Object thrown) {
        seen($RecrashFailureKind.TESTS, thrown);
    }

    /** JUnit 4's {@code RunNotifier.fireTestFailure(Failure)}. */
    public static void junit4Fails(Object failure) {
        try {
            seen($RecrashFailureKind.TESTS, JUNIT_4_THROWN.read(failure));
        } catch (Throwable trouble) {
            // As above.
        }
    }

    /** TestNG's {@code TestRunner.addFailedTest(ITestNGMethod, ITestResult)}. */
    public static void testNgFails(Object result) {
        try {
            seen($RecrashFailureKind.TESTS, TESTNG_THROWN.read(result));
        } catch (Throwable trouble) {
            // As above.
        }
    }

    private static void seen(int kind, Object thrown) {
        try {
            $RecrashHandledFailures.seen(kind, thrown);
        } catch (Throwable trouble) {
            // As above.
        }
    }
}
