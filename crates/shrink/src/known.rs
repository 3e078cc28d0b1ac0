//! The JDK's collections and small values that are read as such.

/// A class of the JDK, and how to read its instances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// Names of the array and of the count.
    List(&'static str, Option<&'static str>),
    HashMap,
    LinkedHashMap,
    Hashtable,
    ConcurrentHashMap,
    LinkedList,
    TreeMap,
    /// Keeps its elements as keys of the map in this field.
    Around(&'static str),
    /// A small value: never to be taken apart.
    Value,
}

/// How to read instances of that class; `None` for one that is no collection.
pub(crate) fn known(class: &str) -> Option<Known> {
    Some(match class {
        "java.util.ArrayList" => Known::List("elementData", Some("size")),
        "java.util.Vector" => Known::List("elementData", Some("elementCount")),
        "java.util.PriorityQueue" => Known::List("queue", Some("size")),
        "java.util.concurrent.CopyOnWriteArrayList" => Known::List("array", None),
        "java.util.Arrays$ArrayList" => Known::List("a", None),
        "java.util.ImmutableCollections$ListN" => Known::List("elements", None),
        "java.util.HashMap" => Known::HashMap,
        "java.util.LinkedHashMap" => Known::LinkedHashMap,
        "java.util.Hashtable" => Known::Hashtable,
        "java.util.concurrent.ConcurrentHashMap" => Known::ConcurrentHashMap,
        "java.util.LinkedList" => Known::LinkedList,
        "java.util.TreeMap" => Known::TreeMap,
        "java.util.HashSet" | "java.util.Properties" => Known::Around("map"),
        "java.util.TreeSet" => Known::Around("m"),
        "java.io.File"
        | "java.lang.AbstractStringBuilder"
        | "java.lang.Number"
        | "java.lang.Boolean"
        | "java.lang.Character"
        | "java.math.MathContext"
        | "java.net.URI"
        | "java.net.URL"
        | "java.nio.charset.Charset"
        | "java.util.BitSet"
        | "java.util.Calendar"
        | "java.util.Date"
        | "java.util.Locale"
        | "java.util.TimeZone"
        | "java.util.UUID"
        | "java.util.regex.Pattern"
        | "sun.nio.fs.UnixPath" => Known::Value,
        other if other.starts_with("java.time.") => Known::Value,
        _ => return None,
    })
}
