//! What of the JDK concerns the border, by names: a class is woven before others can be asked.

/// Methods that the JDK calls of objects it is given: those of its interfaces and of the classes that programs extend.
const CALLED_BY_JDK: &[&[u8]] = &[
    b"accept",
    b"actionPerformed",
    b"add",
    b"addAll",
    b"addFirst",
    b"addLast",
    b"append",
    b"apply",
    b"applyAsDouble",
    b"applyAsInt",
    b"applyAsLong",
    b"available",
    b"call",
    b"charAt",
    b"characters",
    b"clear",
    b"clone",
    b"close",
    b"compare",
    b"compareTo",
    b"contains",
    b"containsAll",
    b"containsKey",
    b"containsValue",
    b"descendingIterator",
    b"element",
    b"endDocument",
    b"endElement",
    b"entrySet",
    b"equals",
    b"execute",
    b"finalize",
    b"flush",
    b"forEach",
    b"forEachRemaining",
    b"format",
    b"formatTo",
    b"get",
    b"getAsBoolean",
    b"getAsDouble",
    b"getAsInt",
    b"getAsLong",
    b"getKey",
    b"getOrDefault",
    b"getValue",
    b"handle",
    b"hasMoreElements",
    b"hasNext",
    b"hasPrevious",
    b"hashCode",
    b"indexOf",
    b"invoke",
    b"isEmpty",
    b"iterator",
    b"keySet",
    b"lastIndexOf",
    b"length",
    b"listIterator",
    b"mark",
    b"next",
    b"nextElement",
    b"nextIndex",
    b"offer",
    b"parse",
    b"peek",
    b"poll",
    b"pop",
    b"previous",
    b"previousIndex",
    b"push",
    b"put",
    b"putAll",
    b"read",
    b"readExternal",
    b"readLine",
    b"readObject",
    b"readResolve",
    b"ready",
    b"remove",
    b"removeAll",
    b"removeIf",
    b"replaceAll",
    b"reset",
    b"retainAll",
    b"run",
    b"set",
    b"setValue",
    b"size",
    b"skip",
    b"sort",
    b"spliterator",
    b"startDocument",
    b"startElement",
    b"stream",
    b"subList",
    b"subSequence",
    b"test",
    b"toArray",
    b"toString",
    b"tryAdvance",
    b"trySplit",
    b"update",
    b"values",
    b"write",
    b"writeExternal",
    b"writeObject",
    b"writeReplace",
];

pub(super) fn is_called_by_jdk(name: &[u8]) -> bool {
    CALLED_BY_JDK
        .binary_search_by(|known| known.cmp(&name))
        .is_ok()
}

/// Classes of the JDK whose objects are values, or that a driver calls for the sake of the world outside.
const NO_MATTER: &[&[u8]] = &[
    b"java/io/PrintStream",
    b"java/lang/Boolean",
    b"java/lang/Byte",
    b"java/lang/Character",
    b"java/lang/Class",
    b"java/lang/Double",
    b"java/lang/Enum",
    b"java/lang/Float",
    b"java/lang/Integer",
    b"java/lang/Long",
    b"java/lang/Math",
    b"java/lang/Number",
    b"java/lang/Runtime",
    b"java/lang/Short",
    b"java/lang/StackTraceElement",
    b"java/lang/StrictMath",
    b"java/lang/String",
    b"java/lang/System",
    b"java/lang/Thread",
    b"java/lang/Throwable",
    b"java/math/BigDecimal",
    b"java/math/BigInteger",
    b"java/util/Locale",
    b"java/util/Objects",
    b"java/util/Optional",
    b"java/util/UUID",
];

/// Methods that change nothing where the JDK implements them; where the program does, it tells of being entered.
const READS: &[&[u8]] = &[
    b"charAt",
    b"contains",
    b"containsKey",
    b"containsValue",
    b"equals",
    b"get",
    b"getFirst",
    b"getKey",
    b"getLast",
    b"getMessage",
    b"getOrDefault",
    b"getValue",
    b"hasNext",
    b"hasPrevious",
    b"hashCode",
    b"indexOf",
    b"intValue",
    b"isEmpty",
    b"lastIndexOf",
    b"length",
    b"longValue",
    b"peek",
    b"size",
    b"toArray",
    b"toString",
];

/// What a call of the JDK is to a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Concern {
    Nothing,
    /// It matters where the receiver is of the inside.
    Receiver,
    /// It matters where anything has crossed before.
    Anything,
}

pub(super) fn concern(owner: &[u8], name: &[u8], has_receiver: bool) -> Concern {
    let is_exception = owner.starts_with(b"java/") && owner.ends_with(b"Exception");
    let is_final = [b"getClass".as_slice(), b"notify", b"notifyAll", b"wait"].contains(&name);
    if NO_MATTER.binary_search(&owner).is_ok() || is_final {
        return Concern::Nothing;
    }
    let reads = owner == b"java/lang/Object" || is_exception || READS.binary_search(&name).is_ok();
    match (reads, has_receiver) {
        (true, false) => Concern::Nothing,
        (true, true) => Concern::Receiver,
        (false, _) => Concern::Anything,
    }
}

/// Static methods and constructors of the JDK that tell what no program decides: owner, name, and with which descriptors.
const QUESTIONS: &[(&[u8], &[u8])] = &[
    (b"java/lang/System", b"currentTimeMillis"),
    (b"java/lang/System", b"nanoTime"),
    (b"java/lang/System", b"getProperty"),
    (b"java/lang/System", b"getenv"),
    (b"java/lang/Math", b"random"),
    (b"java/time/Instant", b"now"),
    (b"java/time/LocalDate", b"now"),
    (b"java/time/LocalDateTime", b"now"),
    (b"java/time/LocalTime", b"now"),
    (b"java/time/ZonedDateTime", b"now"),
    (b"java/time/OffsetDateTime", b"now"),
    (b"java/util/UUID", b"randomUUID"),
    (b"java/util/Locale", b"getDefault"),
    (b"java/util/TimeZone", b"getDefault"),
    (b"java/time/ZoneId", b"systemDefault"),
    (b"java/net/InetAddress", b"getLocalHost"),
    (b"java/lang/Boolean", b"getBoolean"),
    (b"java/lang/Integer", b"getInteger"),
    (b"java/lang/Long", b"getLong"),
    (b"java/nio/file/Files", b"exists"),
    (b"java/nio/file/Files", b"isDirectory"),
    (b"java/nio/file/Files", b"readAllBytes"),
    (b"java/nio/file/Files", b"readAllLines"),
    (b"java/nio/file/Files", b"readString"),
    (b"java/nio/file/Files", b"size"),
];

pub(super) fn is_question(owner: &[u8], name: &[u8]) -> bool {
    QUESTIONS
        .iter()
        .any(|&(of, asks)| of == owner && asks == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_in_order() {
        for list in [CALLED_BY_JDK, NO_MATTER, READS] {
            let mut ordered = list.to_vec();
            ordered.sort_unstable();
            assert_eq!(ordered, list);
        }
    }
}
