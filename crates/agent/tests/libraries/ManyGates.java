// exit 0
// snapshot HTTP-Dispatcher java.lang.ArithmeticException
//   0 ManyGates.divide(5, 0)
//   0 ManyGates.left(sun.net.httpserver.HttpExchangeImpl)
// snapshot HTTP-Dispatcher java.lang.ArithmeticException
//   0 ManyGates.divide(9, 0)
//   0 ManyGates.answered -
// snapshot main java.lang.ArithmeticException
//   0 ManyGates.divide(1, 0)
//   0 ManyGates.dropped(1)
//   0 ManyGates.main -
// snapshot main java.lang.ArithmeticException
//   0 ManyGates.divide(1, 0)
//   0 ManyGates.logged(1)
//   0 ManyGates.main -
// snapshot main java.lang.ArithmeticException
//   0 ManyGates.divide(1, 0)
//   0 ManyGates.loggedAtLevel(1)
//   0 ManyGates.main -
// snapshot main java.lang.ArithmeticException
//   0 ManyGates.divide(1, 0)
//   0 ManyGates.printed(1)
//   0 ManyGates.main -
// snapshot main java.lang.ArithmeticException
//   0 ManyGates.divide(1, 0)
//   0 ManyGates.printedToText(1)
//   0 ManyGates.main -
// snapshot main java.lang.ArithmeticException
//   0 ManyGates.divide(1, 0)
//   0 ManyGates.recorded(1)
//   0 ManyGates.main -
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URL;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/** Each failure passes another gate, and what is handled quietly passes none. */
public class ManyGates {
    /** A logger that nobody has heard of. */
    static class HouseLogger {
        void error(String message, Throwable thrown) {
            System.out.println(message);
        }

        void log(Severity severity, String message, Object... arguments) {
            System.out.println(severity + " " + message);
        }

        void debug(String message, Throwable thrown) {
            StringWriter text = new StringWriter();
            thrown.printStackTrace(new PrintWriter(text));
            System.out.println(message + " " + text.toString().startsWith("java.lang.ArithmeticException"));
        }
    }

    enum Severity { DEBUG, ERROR }

    static class Stream {
        static void onErrorDropped(Throwable thrown) {
            System.out.println("dropped");
        }
    }

    private static final HouseLogger LOG = new HouseLogger();

    static int divide(int number, int by) {
        int remainder = number % by;
        return number / by + remainder;
    }

    static int printed(int number) {
        return divide(number, 0) + 1 + 2 + 3;
    }

    static int printedToText(int number) {
        return divide(number, 0) + 1 + 2 + 3;
    }

    static int logged(int number) {
        return divide(number, 0) + 1 + 2 + 3;
    }

    static int loggedAtLevel(int number) {
        return divide(number, 0) + 1 + 2 + 3;
    }

    static int recorded(int number) {
        return divide(number, 0) + 1 + 2 + 3;
    }

    static int dropped(int number) {
        return divide(number, 0) + 1 + 2 + 3;
    }

    static int quiet(int number) {
        return divide(number, 0) + 1 + 2 + 3;
    }

    static void left(HttpExchange exchange) throws IOException {
        int length = divide(exchange.getRequestURI().getPath().length(), 0);
        exchange.sendResponseHeaders(200, length);
    }

    static void answered(HttpExchange exchange) throws IOException {
        int status = 200;
        try {
            status = divide(exchange.getRequestURI().getPath().length(), 0);
        } catch (ArithmeticException e) {
            status = 503;
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    static void refused(HttpExchange exchange) throws IOException {
        int status = 200;
        try {
            status = divide(exchange.getRequestURI().getPath().length(), 0);
        } catch (ArithmeticException e) {
            status = 404;
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    static int ask(int port, String path) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) new URL("http://localhost:" + port + path).openConnection();
        connection.setRequestMethod("POST");
        try {
            return connection.getResponseCode();
        } catch (IOException closed) {
            return -1;
        }
    }

    public static void main(String[] args) throws Exception {
        try {
            printed(1);
        } catch (ArithmeticException e) {
            e.printStackTrace();
        }
        try {
            printedToText(1);
        } catch (ArithmeticException e) {
            e.printStackTrace(new PrintWriter(new StringWriter()));
        }
        try {
            logged(1);
        } catch (ArithmeticException e) {
            LOG.error("no", e);
        }
        try {
            loggedAtLevel(1);
        } catch (ArithmeticException e) {
            LOG.log(Severity.ERROR, "no", 1, e);
        }
        try {
            recorded(1);
        } catch (ArithmeticException e) {
            // As another implementation of java.util.logging would.
            LogRecord logged = new LogRecord(Level.SEVERE, "no");
            logged.setThrown(e);
        }
        try {
            dropped(1);
        } catch (ArithmeticException e) {
            Stream.onErrorDropped(e);
        }
        try {
            quiet(1);
        } catch (ArithmeticException e) {
            LOG.debug("expected", e);
            LOG.log(Severity.DEBUG, "expected", e);
            new LogRecord(Level.FINE, "expected").setThrown(e);
        }
        HttpServer server = HttpServer.create(new InetSocketAddress(0), 0);
        server.createContext("/left", ManyGates::left);
        server.createContext("/answered", ManyGates::answered);
        server.createContext("/refused", ManyGates::refused);
        server.start();
        for (String path : new String[] {"/left", "/answered", "/refused"}) {
            System.out.println(ask(server.getAddress().getPort(), path));
        }
        server.stop(0);
    }
}
