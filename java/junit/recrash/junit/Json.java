package recrash.junit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A JSON reader (RFC 8259), because the JDK has none: maps, lists, strings, Boolean, null, and numbers as Long or Double.
 * Faults are IllegalArgumentExceptions that name the place.
 */
final class Json {
    /** Nesting is recursion here; no manifest comes near this. */
    private static final int MAX_DEPTH = 200;

    private final String text;
    private int at;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    static Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.space();
        if (json.at < text.length()) {
            throw json.fault("text after the end");
        }
        return value;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object value) {
        if (value instanceof Map) {
            return (Map<String, Object>) value;
        }
        throw new IllegalArgumentException("an object is missing in its manifest");
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Object value) {
        if (value instanceof List) {
            return (List<Object>) value;
        }
        throw new IllegalArgumentException("a list is missing in its manifest");
    }

    static String string(Object value) {
        if (value instanceof String) {
            return (String) value;
        }
        throw new IllegalArgumentException("a text is missing in its manifest");
    }

    static long number(Object value) {
        if (value instanceof Number) {
            return ((Number) value).longValue();
        }
        throw new IllegalArgumentException("a number is missing in its manifest");
    }

    private Object value() {
        space();
        char c = peek();
        switch (c) {
            case '{':
                return object();
            case '[':
                return array();
            case '"':
                return quoted();
            case 't':
                return literal("true", Boolean.TRUE);
            case 'f':
                return literal("false", Boolean.FALSE);
            case 'n':
                return literal("null", null);
            default:
                return numeral();
        }
    }

    private Map<String, Object> object() {
        Map<String, Object> map = new HashMap<>();
        open();
        if (!closes('}')) {
            do {
                space();
                String key = quoted();
                space();
                expect(':');
                map.put(key, value());
            } while (continues('}'));
        }
        depth--;
        return map;
    }

    private List<Object> array() {
        List<Object> list = new ArrayList<>();
        open();
        if (!closes(']')) {
            do {
                list.add(value());
            } while (continues(']'));
        }
        depth--;
        return list;
    }

    private void open() {
        at++;
        if (++depth > MAX_DEPTH) {
            throw fault("nested too deeply");
        }
    }

    private boolean closes(char end) {
        space();
        if (peek() == end) {
            at++;
            return true;
        }
        return false;
    }

    private boolean continues(char end) {
        if (closes(end)) {
            return false;
        }
        expect(',');
        return true;
    }

    private String quoted() {
        expect('"');
        StringBuilder builder = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') {
                return builder.toString();
            }
            builder.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() {
        char c = next();
        switch (c) {
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case 'u':
                int code = 0;
                for (int i = 0; i < 4; i++) {
                    int digit = Character.digit(next(), 16);
                    if (digit < 0) {
                        throw fault("a bad \\u escape");
                    }
                    code = code << 4 | digit;
                }
                return (char) code;
            case '"':
            case '\\':
            case '/':
                return c;
            default:
                throw fault("an unknown escape");
        }
    }

    private Object literal(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw fault("an unknown word");
        }
        at += word.length();
        return value;
    }

    private Object numeral() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String numeral = text.substring(start, at);
        try {
            return Long.valueOf(numeral);
        } catch (NumberFormatException notWhole) {
            try {
                return Double.valueOf(numeral);
            } catch (NumberFormatException notANumber) {
                throw fault("no value");
            }
        }
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw fault("the end");
        }
        return text.charAt(at);
    }

    private char next() {
        char c = peek();
        at++;
        return c;
    }

    private void expect(char wanted) {
        if (next() != wanted) {
            throw fault("something else than " + wanted);
        }
    }

    private IllegalArgumentException fault(String found) {
        return new IllegalArgumentException("its manifest has " + found + " at character " + at);
    }
}
