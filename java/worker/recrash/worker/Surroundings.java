package recrash.worker;

import java.io.ByteArrayInputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;

/** The state of the JVM that candidates share, as it was before the first of them. */
final class Surroundings {
    private final PrintStream output;
    private final Properties properties = (Properties) System.getProperties().clone();
    private final Locale locale = Locale.getDefault();
    private final Locale display = Locale.getDefault(Locale.Category.DISPLAY);
    private final Locale format = Locale.getDefault(Locale.Category.FORMAT);
    private final TimeZone timeZone = TimeZone.getDefault();

    Surroundings(Printed printed) {
        output = new PrintStream(printed, true);
    }

    /** Puts everything back; false when the candidate left something that refuses. */
    boolean reset() {
        try {
            System.setOut(output);
            System.setErr(output);
            System.setIn(new ByteArrayInputStream(new byte[0]));
            System.setProperties((Properties) properties.clone());
            Locale.setDefault(locale);
            Locale.setDefault(Locale.Category.DISPLAY, display);
            Locale.setDefault(Locale.Category.FORMAT, format);
            TimeZone.setDefault(timeZone);
            Thread.setDefaultUncaughtExceptionHandler(null);
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }
}
