package java.lang;

import java.io.ByteArrayInputStream;
import java.io.CharArrayReader;
import java.io.StringReader;
import java.nio.Buffer;
import java.text.ParsePosition;
import java.text.StringCharacterIterator;
import java.util.StringTokenizer;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Where what a method was given to read from is: woven code asks on entry, and keeps the number for its handler.
 *
 * <p>The number is the kind, 4 bits, and two places of 30 bits, each one more than it is because some are -1. It is 0 for
 * what is none of the classes that are known here; the agent's {@code cursor.rs} knows their fields by the kind. No method
 * of theirs is called: they might be overridden.
 */
public final class $RecrashCursor {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final int BITS = 30;

    private static final long STREAM = offset(ByteArrayInputStream.class, "pos");
    private static final long STRING_READER = offset(StringReader.class, "next");
    private static final long ARRAY_READER = offset(CharArrayReader.class, "pos");
    private static final Class<?> LIST_ITERATOR = named("java.util.ArrayList$Itr");
    private static final long LIST_CURSOR = offset(LIST_ITERATOR, "cursor");
    private static final long LIST_LAST = offset(LIST_ITERATOR, "lastRet");
    private static final Class<?> ARRAY_ITERATOR = named("java.util.Arrays$ArrayItr");
    private static final long ARRAY_CURSOR = offset(ARRAY_ITERATOR, "cursor");
    private static final long BUFFER_POSITION = offset(Buffer.class, "position");
    private static final long BUFFER_LIMIT = offset(Buffer.class, "limit");
    private static final long PARSE_INDEX = offset(ParsePosition.class, "index");
    private static final long PARSE_ERROR = offset(ParsePosition.class, "errorIndex");
    private static final long TOKEN_CURRENT = offset(StringTokenizer.class, "currentPosition");
    private static final long TOKEN_NEW = offset(StringTokenizer.class, "newPosition");
    private static final long CHARACTER = offset(StringCharacterIterator.class, "pos");

    private $RecrashCursor() {}

    /** Called by the agent: the class is ready before any woven code uses it. */
    static void prepare() {}

    @ForceInline
    @Hidden
    public static long stream(Object o) {
        return o != null && o.getClass() == ByteArrayInputStream.class ? at(1, o, STREAM, -1) : 0;
    }

    @ForceInline
    @Hidden
    public static long reader(Object o) {
        if (o == null) {
            return 0;
        }
        Class<?> type = o.getClass();
        return type == StringReader.class
                ? at(2, o, STRING_READER, -1)
                : type == CharArrayReader.class ? at(3, o, ARRAY_READER, -1) : 0;
    }

    @ForceInline
    @Hidden
    public static long iterator(Object o) {
        if (LIST_ITERATOR != null && LIST_ITERATOR.isInstance(o)) {
            return at(4, o, LIST_CURSOR, LIST_LAST);
        }
        return ARRAY_ITERATOR != null && ARRAY_ITERATOR.isInstance(o) ? at(5, o, ARRAY_CURSOR, -1) : 0;
    }

    @ForceInline
    @Hidden
    public static long buffer(Object o) {
        return o instanceof Buffer ? at(6, o, BUFFER_POSITION, BUFFER_LIMIT) : 0;
    }

    @ForceInline
    @Hidden
    public static long position(Object o) {
        return o instanceof ParsePosition ? at(7, o, PARSE_INDEX, PARSE_ERROR) : 0;
    }

    @ForceInline
    @Hidden
    public static long tokens(Object o) {
        return o instanceof StringTokenizer ? at(8, o, TOKEN_CURRENT, TOKEN_NEW) : 0;
    }

    @ForceInline
    @Hidden
    public static long characters(Object o) {
        return o instanceof StringCharacterIterator ? at(9, o, CHARACTER, -1) : 0;
    }

    /** A field that is not there is at -1: a JDK that has no first one keeps nothing. */
    @ForceInline
    @Hidden
    private static long at(long kind, Object o, long first, long second) {
        if (first < 0) {
            return 0;
        }
        long one = U.getInt(o, first) + 1L;
        long two = second < 0 ? 0 : U.getInt(o, second) + 1L;
        return (one | two) >>> BITS == 0 ? (kind << BITS | one) << BITS | two : 0;
    }

    private static Class<?> named(String name) {
        try {
            return Class.forName(name, false, null);
        } catch (ClassNotFoundException gone) {
            return null;
        }
    }

    private static long offset(Class<?> type, String field) {
        try {
            return type == null ? -1 : U.objectFieldOffset(type, field);
        } catch (InternalError gone) {
            return -1;
        }
    }
}
