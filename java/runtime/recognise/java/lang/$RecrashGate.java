package java.lang;

/**
 * Called by the methods of the JDK and of libraries through which failures pass that never reach the top of a thread; the
 * agent's rules say which. Loggers have {@link $RecrashLogGate}.
 *
 * <p>These methods return at once where nothing was thrown, and call no method of the program or of a framework.
 */
public final class $RecrashGate {
    private static final int SERVER_ERROR = 500;
    private static final int LAST_STATUS = 599;

    private static final int RPC_UNKNOWN = 2;
    private static final int RPC_INTERNAL = 13;
    private static final int RPC_DATA_LOSS = 15;

    private static final $RecrashNamedField RPC_CODE = $RecrashNamedField.object("code");
    private static final $RecrashNamedField RPC_NUMBER = $RecrashNamedField.number("value");
    private static final $RecrashNamedField JUNIT_4_THROWN = $RecrashNamedField.object("fThrownException");
    private static final $RecrashNamedField TESTNG_THROWN = $RecrashNamedField.object("m_throwable");
    /** How objects for a status call its number. */
    private static final $RecrashNamedField[] STATUS_NUMBERS = {
        $RecrashNamedField.number("code"), $RecrashNamedField.number("value"),
        $RecrashNamedField.number("statusCode"), $RecrashNamedField.number("status"),
    };

    private $RecrashGate() {}

    /** A future gets its exception. */
    public static void futureStores(Object thrown) {
        seen($RecrashFailureKind.FUTURES, thrown);
    }

    /** A coroutine ends by an exception, which it keeps where it has a result to give: others have their handlers. */
    public static void coroutineEnds(Object coroutine, Object thrown) {
        for (Class<?> type = coroutine.getClass(); type != Object.class; type = type.getSuperclass()) {
            if (type.getName().equals("kotlinx.coroutines.DeferredCoroutine")) {
                seen($RecrashFailureKind.FUTURES, thrown);
                return;
            }
        }
    }

    /** A web server or framework deals with what a request's handler threw. */
    public static void serverAnswers(Object thrown) {
        seen($RecrashFailureKind.WEB, thrown);
    }

    /** An exception leaves a request's handler for a server that says nothing. A client that is gone is no failure. */
    public static void leaves(Throwable thrown) {
        if (!(thrown instanceof java.io.IOException)) {
            seen($RecrashFailureKind.WEB, thrown);
        }
    }

    /** A request is answered with this status. */
    public static void answersNumber(int status) {
        if (status >= SERVER_ERROR && status <= LAST_STATUS) {
            caught($RecrashFailureKind.WEB);
        }
    }

    /** As above; the object for the status may be of any make. */
    public static void answersStatus(Object status) {
        try {
            for (int i = 0; i < STATUS_NUMBERS.length; i++) {
                answersNumber(STATUS_NUMBERS[i].number(status, 0));
            }
        } catch (Throwable trouble) {
            // The program goes on as if recrash were not here.
        }
    }

    /** A remote call ends with this status, an {@code io.grpc.Status}. */
    public static void endsCall(Object status) {
        try {
            int number = RPC_NUMBER.number(RPC_CODE.read(status), 0);
            if (number == RPC_UNKNOWN || number == RPC_INTERNAL || number == RPC_DATA_LOSS) {
                caught($RecrashFailureKind.WEB);
            }
        } catch (Throwable trouble) {
            // As above.
        }
    }

    /** The program ends with this status. */
    public static void ends(int status) {
        if (status != 0) {
            caught($RecrashFailureKind.EXIT);
        }
    }

    /** The stack trace of an exception is printed. */
    public static void prints(Object thrown, Object printer) {
        seen($RecrashFailureKind.PRINTED, thrown);
    }

    /** Nobody is left to be told of an exception. */
    public static void drops(Object thrown) {
        seen($RecrashFailureKind.DROPPED, thrown);
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

    /** A failure of this kind tells of itself only by what comes after it was caught. */
    private static void caught(int kind) {
        try {
            $RecrashHandledFailures.caught(kind);
        } catch (Throwable trouble) {
            // As above.
        }
    }
}
