package recrash.junit;

import java.nio.charset.Charset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;

/** The recorded surroundings that decide what a program does, as far as a running JVM can take them over. */
final class Environment {
    /** Properties of the JVM and the machine, not of the program. */
    private static final String[] NOT_THE_PROGRAMS = {
        "java.", "jdk.", "sun.", "os.", "awt.", "recrash.", "user.dir", "user.home", "user.name", "line.separator",
        "file.separator", "path.separator", "file.encoding", "native.encoding", "stdout.encoding", "stderr.encoding",
        "stdin.encoding",
    };
    /** Set on the command line, and still not the program's. */
    private static final String[] OF_THE_LAUNCH = {"java.class.path", "java.home", "recrash.", "file.encoding"};

    private static boolean charsetReported;

    private final String locale;
    private final String timeZone;
    private final String charset;
    private final Map<String, String> properties = new LinkedHashMap<>();

    Environment(String locale, String timeZone, String charset, Map<String, String> recorded, String[] jvmArguments) {
        this.locale = locale;
        this.timeZone = timeZone;
        this.charset = charset;
        for (Map.Entry<String, String> property : recorded.entrySet()) {
            if (!startsWithAny(property.getKey(), NOT_THE_PROGRAMS)) {
                properties.put(property.getKey(), property.getValue());
            }
        }
        for (String argument : jvmArguments) {
            String definition = argument.startsWith("-D") ? argument.substring(2) : "recrash.";
            int equals = definition.indexOf('=');
            String name = equals < 0 ? definition : definition.substring(0, equals);
            if (!startsWithAny(name, OF_THE_LAUNCH)) {
                properties.put(name, equals < 0 ? "" : definition.substring(equals + 1));
            }
        }
    }

    static Environment of(Map<String, Object> json) {
        Map<String, String> recorded = new LinkedHashMap<>();
        for (Object pair : Json.list(json.get("system_properties"))) {
            List<Object> entry = Json.list(pair);
            if (entry.size() == 2) {
                recorded.put(Json.string(entry.get(0)), Json.string(entry.get(1)));
            }
        }
        List<Object> arguments = Json.list(json.get("jvm_arguments"));
        String[] jvmArguments = new String[arguments.size()];
        for (int i = 0; i < jvmArguments.length; i++) {
            jvmArguments[i] = Json.string(arguments.get(i));
        }
        return new Environment(Json.string(json.get("locale")), Json.string(json.get("time_zone")),
                Json.string(json.get("charset")), recorded, jvmArguments);
    }

    private static boolean startsWithAny(String name, String[] starts) {
        for (String start : starts) {
            if (name.startsWith(start)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Sets what differs; the result puts it back. The default charset cannot be set in a running JVM, so a difference is
     * reported.
     */
    Runnable apply() {
        Runnable before = now();
        for (Map.Entry<String, String> property : properties.entrySet()) {
            if (!property.getValue().equals(System.getProperty(property.getKey()))) {
                System.setProperty(property.getKey(), property.getValue());
            }
        }
        Locale recorded = Locale.forLanguageTag(locale);
        if (!recorded.equals(Locale.getDefault())) {
            Locale.setDefault(recorded);
        }
        if (!timeZone.isEmpty() && !timeZone.equals(TimeZone.getDefault().getID())) {
            TimeZone.setDefault(TimeZone.getTimeZone(timeZone));
        }
        String now = Charset.defaultCharset().name();
        if (!charset.isEmpty() && !charset.equalsIgnoreCase(now) && !charsetReported) {
            charsetReported = true;
            System.err.println("recrash: the failure was recorded with the default charset " + charset + ", this JVM has "
                    + now + "; start it with -Dfile.encoding=" + charset);
        }
        return before;
    }

    /** Remembers this JVM's own of everything that {@link #apply} may set. */
    private Runnable now() {
        Map<String, String> own = new LinkedHashMap<>();
        for (String name : properties.keySet()) {
            own.put(name, System.getProperty(name));
        }
        Locale all = Locale.getDefault();
        Locale display = Locale.getDefault(Locale.Category.DISPLAY);
        Locale format = Locale.getDefault(Locale.Category.FORMAT);
        TimeZone zone = TimeZone.getDefault();
        return () -> {
            for (Map.Entry<String, String> property : own.entrySet()) {
                if (property.getValue() == null) {
                    System.clearProperty(property.getKey());
                } else {
                    System.setProperty(property.getKey(), property.getValue());
                }
            }
            Locale.setDefault(all);
            Locale.setDefault(Locale.Category.DISPLAY, display);
            Locale.setDefault(Locale.Category.FORMAT, format);
            TimeZone.setDefault(zone);
        };
    }
}
