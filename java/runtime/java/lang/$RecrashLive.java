package java.lang;

import java.util.Collection;
import java.util.Map;

/** Which live objects may take over captured state. */
final class $RecrashLive {
    private $RecrashLive() {}

    /**
     * The program's own objects, and those of the JDK that a program keeps state in. Values of the JDK (a Locale, a
     * date) may be shared with the whole JVM, so they are never overwritten.
     */
    static boolean mayTakeOver(Object live) {
        Class<?> type = live.getClass();
        if (live == System.getProperties()) {
            return false;
        }
        if (type.isArray() || !$RecrashOpaque.isJdk(type) || type == Object.class || type == String.class
                || $RecrashOpaque.reason(type) != 0) {
            return true;
        }
        String name = type.getName();
        if (name.startsWith("java.util.concurrent.")) {
            return true;
        }
        return name.startsWith("java.util.") && !name.startsWith("java.util.ImmutableCollections")
                && (live instanceof Collection || live instanceof Map || type == java.util.BitSet.class
                        || type == java.util.Random.class)
                || live instanceof ThreadLocal || live instanceof AbstractStringBuilder;
    }
}
