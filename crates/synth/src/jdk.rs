//! What a developer would take where a type of the JDK is wanted.

const IMPLEMENTATIONS: [(&str, &[&str]); 37] = [
    (
        "java/lang/Object",
        &[
            "java/lang/Object",
            "java/lang/String",
            "java/lang/Integer",
            "java/util/ArrayList",
        ],
    ),
    (
        "java/lang/CharSequence",
        &["java/lang/String", "java/lang/StringBuilder"],
    ),
    (
        "java/lang/Comparable",
        &["java/lang/String", "java/lang/Integer"],
    ),
    (
        "java/lang/Number",
        &[
            "java/lang/Integer",
            "java/lang/Double",
            "java/lang/Long",
            "java/math/BigDecimal",
        ],
    ),
    ("java/lang/Iterable", &["java/util/ArrayList"]),
    (
        "java/lang/Appendable",
        &["java/lang/StringBuilder", "java/io/StringWriter"],
    ),
    ("java/lang/Runnable", &["java/lang/Thread"]),
    (
        "java/lang/Throwable",
        &["java/lang/Exception", "java/lang/Error"],
    ),
    ("java/lang/Exception", &["java/lang/RuntimeException"]),
    (
        "java/util/Collection",
        &[
            "java/util/ArrayList",
            "java/util/HashSet",
            "java/util/LinkedList",
        ],
    ),
    (
        "java/util/List",
        &["java/util/ArrayList", "java/util/LinkedList"],
    ),
    ("java/util/AbstractList", &["java/util/ArrayList"]),
    ("java/util/Set", &["java/util/HashSet", "java/util/TreeSet"]),
    ("java/util/SortedSet", &["java/util/TreeSet"]),
    ("java/util/NavigableSet", &["java/util/TreeSet"]),
    (
        "java/util/Queue",
        &["java/util/ArrayDeque", "java/util/LinkedList"],
    ),
    ("java/util/Deque", &["java/util/ArrayDeque"]),
    (
        "java/util/Map",
        &[
            "java/util/HashMap",
            "java/util/TreeMap",
            "java/util/LinkedHashMap",
        ],
    ),
    ("java/util/SortedMap", &["java/util/TreeMap"]),
    ("java/util/NavigableMap", &["java/util/TreeMap"]),
    (
        "java/util/concurrent/ConcurrentMap",
        &["java/util/concurrent/ConcurrentHashMap"],
    ),
    ("java/util/Dictionary", &["java/util/Hashtable"]),
    ("java/util/Calendar", &["java/util/GregorianCalendar"]),
    ("java/util/TimeZone", &["java/util/SimpleTimeZone"]),
    ("java/io/InputStream", &["java/io/ByteArrayInputStream"]),
    ("java/io/OutputStream", &["java/io/ByteArrayOutputStream"]),
    ("java/io/Reader", &["java/io/StringReader"]),
    ("java/io/Writer", &["java/io/StringWriter"]),
    ("java/io/DataInput", &["java/io/DataInputStream"]),
    ("java/io/DataOutput", &["java/io/DataOutputStream"]),
    (
        "java/io/Serializable",
        &["java/lang/String", "java/lang/Integer"],
    ),
    (
        "java/text/Format",
        &["java/text/DecimalFormat", "java/text/SimpleDateFormat"],
    ),
    ("java/text/NumberFormat", &["java/text/DecimalFormat"]),
    ("java/text/DateFormat", &["java/text/SimpleDateFormat"]),
    (
        "java/nio/charset/Charset",
        &["java/nio/charset/StandardCharsets"],
    ),
    ("java/util/AbstractMap", &["java/util/HashMap"]),
    ("java/util/AbstractCollection", &["java/util/ArrayList"]),
];

/// Internal names, best first; empty where the class itself will do.
pub(crate) fn implementations(class: &str) -> &'static [&'static str] {
    IMPLEMENTATIONS
        .iter()
        .find(|(wanted, _)| *wanted == class)
        .map_or(&[], |(_, offered)| offered)
}
