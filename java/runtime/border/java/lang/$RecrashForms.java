package java.lang;

/** How objects of the JDK are kept, by the names of their classes: only those whose methods call nothing of the program. */
final class $RecrashForms {
    private static final String[] BOXES = {
        "Boolean", "Byte", "Short", "Character", "Integer", "Long", "Float", "Double",
    };

    private static final String[] LITERALS = {
        "java.lang.Class",
        "java.lang.reflect.Constructor",
        "java.lang.reflect.Field",
        "java.lang.reflect.Method",
        "java.math.BigInteger",
        "java.math.BigDecimal",
        "java.util.UUID",
        "java.util.Locale",
        "java.util.Currency",
        "java.util.regex.Pattern",
        "java.io.File",
        "java.net.URI",
        "java.net.URL",
        "sun.nio.fs.UnixPath",
        "sun.util.calendar.ZoneInfo",
        "java.time.Instant",
        "java.time.Duration",
        "java.time.Period",
        "java.time.LocalDate",
        "java.time.LocalTime",
        "java.time.LocalDateTime",
        "java.time.OffsetDateTime",
        "java.time.OffsetTime",
        "java.time.ZonedDateTime",
        "java.time.Year",
        "java.time.YearMonth",
        "java.time.MonthDay",
        "java.time.ZoneOffset",
        "java.time.ZoneRegion",
    };

    private static final String[] ELEMENTS = {
        "java.util.ArrayList",
        "java.util.LinkedList",
        "java.util.Vector",
        "java.util.Stack",
        "java.util.ArrayDeque",
        "java.util.PriorityQueue",
        "java.util.HashSet",
        "java.util.LinkedHashSet",
        "java.util.TreeSet",
        "java.util.Arrays$ArrayList",
        "java.util.ImmutableCollections$ListN",
        "java.util.ImmutableCollections$List12",
        "java.util.ImmutableCollections$SetN",
        "java.util.ImmutableCollections$Set12",
        "java.util.Collections$EmptyList",
        "java.util.Collections$EmptySet",
        "java.util.Collections$SingletonList",
        "java.util.Collections$SingletonSet",
        "java.util.Collections$CopiesList",
        "java.util.RegularEnumSet",
        "java.util.JumboEnumSet",
        "java.util.concurrent.CopyOnWriteArrayList",
        "java.util.concurrent.CopyOnWriteArraySet",
        "java.util.concurrent.ConcurrentLinkedQueue",
        "java.util.concurrent.ConcurrentLinkedDeque",
        "java.util.concurrent.LinkedBlockingQueue",
        "java.util.concurrent.LinkedBlockingDeque",
        "java.util.concurrent.ArrayBlockingQueue",
        "java.util.concurrent.ConcurrentSkipListSet",
    };

    private static final String[] PAIRS = {
        "java.util.HashMap",
        "java.util.LinkedHashMap",
        "java.util.TreeMap",
        "java.util.Hashtable",
        "java.util.Properties",
        "java.util.IdentityHashMap",
        "java.util.WeakHashMap",
        "java.util.EnumMap",
        "java.util.ImmutableCollections$Map1",
        "java.util.ImmutableCollections$MapN",
        "java.util.Collections$EmptyMap",
        "java.util.Collections$SingletonMap",
        "java.util.concurrent.ConcurrentHashMap",
        "java.util.concurrent.ConcurrentSkipListMap",
    };

    /** Beginnings of names of classes that are kept field by field. */
    private static final String[] FIELDS = {
        "java.util.Random",
        "java.util.SplittableRandom",
        "java.util.Date",
        "java.util.Gregorian",
        "java.util.BitSet",
        "java.util.StringTokenizer",
        "java.util.StringJoiner",
        "java.util.Optional",
        "java.util.AbstractMap$Simple",
        "java.util.KeyValueHolder",
        "java.util.Collections$",
        "java.util.Comparators$",
        "java.util.ArrayList$SubList",
        "java.util.SimpleTimeZone",
        "java.util.concurrent.atomic.",
        "java.text.",
        "java.sql.",
        "java.io.String",
        "java.io.ByteArray",
        "java.io.CharArray",
        "java.io.Buffered",
        "java.io.Pushback",
        "java.io.LineNumberReader",
        "java.io.SequenceInputStream",
        "java.io.StreamTokenizer",
        "java.io.PrintWriter",
        "java.io.Data",
        "java.awt.geom.",
        "java.awt.Point",
        "java.awt.Rectangle",
        "java.awt.Dimension",
        "java.nio.Heap",
        "sun.util.calendar.",
    };

    private $RecrashForms() {}

    static int of(Class<?> type) {
        String name = type.getName();
        for (int i = 0; i < BOXES.length; i++) {
            if (name.startsWith("java.lang.") && name.substring(10).equals(BOXES[i])) {
                return $RecrashSide.VALUE;
            }
        }
        if (name.equals("java.lang.StringBuilder") || name.equals("java.lang.StringBuffer")) {
            return $RecrashSide.CHARACTERS;
        }
        if (has(LITERALS, name) || java.nio.charset.Charset.class.isAssignableFrom(type)) {
            return $RecrashSide.LITERAL;
        }
        if (has(ELEMENTS, name)) {
            return $RecrashSide.ELEMENTS;
        }
        if (has(PAIRS, name)) {
            return $RecrashSide.PAIRS;
        }
        for (int i = 0; i < FIELDS.length; i++) {
            if (name.startsWith(FIELDS[i])) {
                return $RecrashSide.FIELDS;
            }
        }
        return $RecrashSide.PLAIN;
    }

    private static boolean has(String[] all, String name) {
        for (int i = 0; i < all.length; i++) {
            if (all[i].equals(name)) {
                return true;
            }
        }
        return false;
    }
}
