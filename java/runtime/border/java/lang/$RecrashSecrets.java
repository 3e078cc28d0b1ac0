package java.lang;

import java.util.Arrays;

/**
 * What must not leave the program, by its name: it is replaced before it is written, by as many characters of the same
 * classes, and so is every copy of it that crosses later. What texts look like is the agent's matter.
 */
final class $RecrashSecrets {
    /** Shorter ones are not looked for in other texts. */
    private static final int SHORTEST = 4;
    private static final int MOST = 256;
    private static final int NAMES = 64;

    private static String[] known = new String[8];
    private static volatile int count;
    /** Keys that were asked for lately, by hash, and what was answered. */
    private static final String[] ASKED = new String[NAMES];
    private static final boolean[] ANSWERS = new boolean[NAMES];

    private $RecrashSecrets() {}

    static void start() {
        String[] found = $RecrashAgent.secrets();
        for (int i = 0; found != null && i < found.length; i++) {
            remember(found[i]);
        }
    }

    /** What is written in place of an object that is called secret. */
    static Object hidden(Object value) {
        if (value instanceof String) {
            String text = (String) value;
            remember(text);
            return mask(text, 0, text.length());
        }
        if (value instanceof char[] || value instanceof byte[] || value instanceof StringBuilder
                || value instanceof StringBuffer) {
            return null;
        }
        return value;
    }

    /** A value of a map. */
    static Object ofKey(Object key, Object value) {
        return key instanceof String && value instanceof String && isSecret((String) key) ? hidden(value) : value;
    }

    private static boolean isSecret(String name) {
        if (name.length() > 100) {
            return false;
        }
        synchronized ($RecrashLog.LOCK) {
            int slot = (name.hashCode() & Integer.MAX_VALUE) % NAMES;
            if (!name.equals(ASKED[slot])) {
                ANSWERS[slot] = $RecrashAgent.isSecret(name);
                ASKED[slot] = name;
            }
            return ANSWERS[slot];
        }
    }

    private static void remember(String secret) {
        synchronized ($RecrashLog.LOCK) {
            int all = count;
            if (secret.length() < SHORTEST || all == MOST) {
                return;
            }
            for (int i = 0; i < all; i++) {
                if (known[i].equals(secret)) {
                    return;
                }
            }
            if (all == known.length) {
                known = Arrays.copyOf(known, all * 2);
            }
            known[all] = secret;
            count = all + 1;
        }
    }

    /** A text without the secrets that are known. */
    static String without(String text) {
        int all = count;
        for (int i = 0; i < all; i++) {
            String secret = known[i];
            for (int at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
                String masked = mask(text, at, at + secret.length());
                if (masked.equals(text)) {
                    break;
                }
                text = masked;
            }
        }
        return text;
    }

    private static String mask(String text, int from, int to) {
        char[] chars = text.toCharArray();
        for (int i = from; i < to; i++) {
            char c = chars[i];
            chars[i] = Character.isDigit(c) ? '0'
                    : Character.isUpperCase(c) ? 'X' : Character.isLetter(c) ? 'x' : c;
        }
        return new String(chars);
    }
}
