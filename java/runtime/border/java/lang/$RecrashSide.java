package java.lang;

import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.TimeZone;
import java.util.regex.Pattern;

/** What a class is to a recording: on which side its objects are, and how they are kept. Found out once per class. */
final class $RecrashSide {
    /** A box around a primitive. */
    static final int VALUE = 0;
    /** Immutable, and said by a text. */
    static final int LITERAL = 1;
    static final int ELEMENTS = 2;
    static final int PAIRS = 3;
    static final int CHARACTERS = 4;
    static final int NUMBERS = 5;
    /** Of references. */
    static final int ARRAY = 6;
    /** Kept field by field, where it comes from outside. */
    static final int FIELDS = 7;
    static final int THROWABLE = 8;
    static final int LAMBDA = 9;
    /** Not kept. */
    static final int PLAIN = 10;

    private static volatile $RecrashSide[] table = new $RecrashSide[256];
    private static int count;

    private final WeakReference<Class<?>> type;
    final int side;
    final int form;
    private int number = -1;
    /** The instance fields, for {@link #FIELDS}. */
    private Field[] fields;

    private $RecrashSide(Class<?> type) {
        this.type = new WeakReference<Class<?>>(type);
        side = sideOf(type);
        form = formOf(type, side);
    }

    static $RecrashSide of(Class<?> type) {
        $RecrashSide[] all = table;
        int slot = slot(type, all.length);
        for ($RecrashSide found = all[slot]; found != null; found = all[slot]) {
            if (found.type.get() == type) {
                return found;
            }
            slot = slot + 1 & all.length - 1;
        }
        return add(type);
    }

    /** By name: the identity hash of a class is the program's. */
    private static int slot(Class<?> type, int length) {
        int hash = type.getName().hashCode();
        return (hash ^ hash >>> 16) & length - 1;
    }

    private static $RecrashSide add(Class<?> type) {
        synchronized ($RecrashLog.LOCK) {
            $RecrashSide[] all = table;
            if (count * 2 >= all.length) {
                $RecrashSide[] larger = new $RecrashSide[all.length * 2];
                for (int i = 0; i < all.length; i++) {
                    Class<?> known = all[i] == null ? null : all[i].type.get();
                    if (known != null) {
                        place(larger, all[i], known);
                    }
                }
                table = larger;
                all = larger;
            }
            $RecrashSide added = new $RecrashSide(type);
            place(all, added, type);
            count++;
            return added;
        }
    }

    private static void place($RecrashSide[] all, $RecrashSide side, Class<?> type) {
        int slot = slot(type, all.length);
        while (all[slot] != null) {
            slot = slot + 1 & all.length - 1;
        }
        all[slot] = side;
    }

    private static int sideOf(Class<?> type) {
        Class<?> named = type;
        while (named.isArray()) {
            named = named.getComponentType();
        }
        if (named != type) {
            return $RecrashLogTag.SIDE_JDK;
        }
        if (named.isHidden()) {
            named = named.getNestHost();
        }
        ClassLoader loader = named.getClassLoader0();
        if (loader == null || loader == ClassLoader.getBuiltinPlatformClassLoader()) {
            return $RecrashLogTag.SIDE_JDK;
        }
        if (java.lang.reflect.Proxy.class.isAssignableFrom(named)) {
            // Whose it is depends on where it comes from.
            return $RecrashLogTag.SIDE_JDK;
        }
        boolean outside = $RecrashAgent.isOutside(named.getName());
        return outside ? $RecrashLogTag.SIDE_OUTSIDE : $RecrashLogTag.SIDE_INSIDE;
    }

    private static int formOf(Class<?> type, int side) {
        if (type.isArray()) {
            return type.getComponentType().isPrimitive() ? NUMBERS : ARRAY;
        }
        if (Throwable.class.isAssignableFrom(type)) {
            return THROWABLE;
        }
        if (Enum.class.isAssignableFrom(type)) {
            return LITERAL;
        }
        if (type.isHidden() && type.getName().indexOf("$$Lambda") >= 0) {
            return side == $RecrashLogTag.SIDE_INSIDE ? PLAIN : LAMBDA;
        }
        if (side != $RecrashLogTag.SIDE_JDK) {
            return PLAIN;
        }
        return $RecrashForms.of(type);
    }

    boolean isCollection() {
        return form == ELEMENTS || form == PAIRS;
    }

    /** The number of the type in the log. */
    int number() {
        synchronized ($RecrashLog.LOCK) {
            if (number < 0) {
                Class<?> named = type.get();
                Class<?> above = named.getSuperclass();
                int superclass = above == null ? -1 : of(above).number();
                Class<?>[] all = named.getInterfaces();
                int[] interfaces = new int[all.length];
                for (int i = 0; i < all.length; i++) {
                    interfaces[i] = of(all[i]).number();
                }
                number = $RecrashLog.type(side, flags(named), named.getName(), superclass, interfaces);
            }
            return number;
        }
    }

    private static int flags(Class<?> type) {
        int modifiers = type.getModifiers();
        return (type.isInterface() ? $RecrashLogTag.FLAG_INTERFACE : 0)
                | (Modifier.isFinal(modifiers) ? $RecrashLogTag.FLAG_FINAL : 0)
                | (Modifier.isAbstract(modifiers) ? $RecrashLogTag.FLAG_ABSTRACT : 0)
                | (type.isHidden() ? $RecrashLogTag.FLAG_HIDDEN : 0);
    }

    /** That of a literal: constants with a body of their own have a class of their own. */
    int literalType(Object o) {
        return o instanceof Enum ? of(((Enum<?>) o).getDeclaringClass()).number() : number();
    }

    static String literal(Object o) {
        if (o instanceof Enum) {
            return ((Enum<?>) o).name();
        }
        if (o instanceof Class) {
            return ((Class<?>) o).getName();
        }
        if (o instanceof Locale) {
            return ((Locale) o).toLanguageTag();
        }
        if (o instanceof Charset) {
            return ((Charset) o).name();
        }
        if (o instanceof TimeZone) {
            return ((TimeZone) o).getID();
        }
        if (o instanceof Pattern) {
            return ((Pattern) o).pattern();
        }
        return o.toString();
    }

    Field[] fields() {
        Field[] found = fields;
        if (found == null) {
            found = new Field[0];
            for (Class<?> c = type.get(); c != null && c != Object.class; c = c.getSuperclass()) {
                Field[] declared = $RecrashMemory.declaredFields(c);
                for (int i = 0; i < declared.length; i++) {
                    if (!Modifier.isStatic(declared[i].getModifiers())) {
                        found = java.util.Arrays.copyOf(found, found.length + 1);
                        found[found.length - 1] = declared[i];
                    }
                }
            }
            fields = found;
        }
        return found;
    }
}
