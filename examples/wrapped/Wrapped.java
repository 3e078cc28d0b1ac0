// crash: Wrapped$ConfigException
// cause: java.lang.NumberFormatException

import java.util.LinkedHashMap;
import java.util.Map;

/** The program catches the real exception and wraps it; the frames of the first throw must not be lost. */
public class Wrapped {
    static final class ConfigException extends RuntimeException {
        ConfigException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private final Map<String, String> settings = new LinkedHashMap<>();

    int number(String key) {
        String text = settings.getOrDefault(key, "0");
        return Integer.parseInt(text.trim()); // frame: reproduced
    }

    int port() {
        try {
            return number("port");
        } catch (NumberFormatException e) {
            throw new ConfigException("the port is not a number", e); // frame: reproduced
        }
    }

    public static void main(String[] args) {
        Wrapped config = new Wrapped();
        config.settings.put("port", "8o8o");
        System.out.println(config.port()); // frame: reproduced
    }
}
