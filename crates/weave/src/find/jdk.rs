//! The JDK's own classes whose writes count when a program's state is led back (see `journal.rs`): what a list, a map, a
//! buffer or a matcher was like. Their methods get no handlers.

use recrash_classfile::MemberRef;

/// Packages, the ones below them not included.
const PACKAGES: [&str; 7] = [
    "java/util",
    "java/util/concurrent",
    "java/util/concurrent/atomic",
    "java/util/regex",
    "java/io",
    "java/nio",
    "java/text",
];

/// Beginnings of names: threads at work, the JDK's own affairs, state outside the Java heap, and what a method below keeps
/// as a whole.
const EXCEPT: [&str; 30] = [
    "java/util/ArraysParallelSortHelpers",
    "java/util/ComparableTimSort",
    "java/util/DualPivotQuicksort",
    "java/util/Locale",
    "java/util/ResourceBundle",
    "java/util/ServiceLoader",
    "java/util/Spliterator",
    "java/util/TimSort",
    "java/util/concurrent/CompletableFuture",
    "java/util/concurrent/CountedCompleter",
    "java/util/concurrent/DelayScheduler",
    "java/util/concurrent/Exchanger",
    "java/util/concurrent/Executor",
    "java/util/concurrent/ForkJoin",
    "java/util/concurrent/FutureTask",
    "java/util/concurrent/LinkedTransferQueue",
    "java/util/concurrent/Phaser",
    "java/util/concurrent/ScheduledThreadPool",
    "java/util/concurrent/SynchronousQueue",
    "java/util/concurrent/ThreadLocalRandom",
    "java/util/concurrent/ThreadP",
    "java/util/regex/P",
    "java/io/Console",
    "java/io/File",
    "java/io/Object",
    "java/io/RandomAccessFile",
    "java/io/UnixFileSystem",
    "java/nio/Bits",
    "java/nio/Direct",
    "java/nio/Mapped",
];

const BUILDER: &str = "java/lang/AbstractStringBuilder";

/// Whether the writes of a class of the JDK (internal name) count.
pub fn keeps_writes(class: &str) -> bool {
    let package = class.rsplit_once('/').map_or("", |(package, _)| package);
    class == BUILDER
        || PACKAGES.contains(&package) && !EXCEPT.iter().any(|start| class.starts_with(start))
}

/// Classes of the JDK whose methods write to arrays and objects that are handed to them, and have no state of their own.
pub fn writes_for_others(class: &str) -> bool {
    let updater = class.strip_prefix("java/util/concurrent/atomic/");
    class == "java/util/Arrays" || updater.is_some_and(|name| name.ends_with("FieldUpdater"))
}

/// What a call may change, as far as its name tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Calling {
    /// Nothing that is noted.
    Nothing,
    /// The program's own code, which knows its places; or a method of the JDK that fails, if it does, before anything is
    /// changed.
    Program,
    /// A method of the JDK after whose changes, or those of the program's code that it calls, something can still fail.
    Bulk,
}

/// Classes without state that changes.
const STATELESS: [&str; 13] = [
    "Boolean",
    "Byte",
    "Character",
    "Class",
    "Double",
    "Enum",
    "Float",
    "Integer",
    "Long",
    "Math",
    "Short",
    "StrictMath",
    "String",
];

/// Packages of the platform: no frame of theirs knows its place.
const PLATFORM: [&str; 5] = ["java/", "javax/", "jdk/", "sun/", "com/sun/"];

/// Methods that fail, if they do, before they change anything, and call the program's code, if they do, to ask and not to
/// change. All others may do one thing after the other, with the program's code in between, and fail halfway.
const SIMPLE: [&str; 63] = [
    "<init>",
    "add",
    "addFirst",
    "addLast",
    "append",
    "asList",
    "charAt",
    "compare",
    "compareTo",
    "contains",
    "containsKey",
    "containsValue",
    "copyOf",
    "copyOfRange",
    "currentThread",
    "currentTimeMillis",
    "emptyList",
    "emptyMap",
    "emptySet",
    "entrySet",
    "equals",
    "get",
    "getFirst",
    "getKey",
    "getLast",
    "getName",
    "getOrDefault",
    "getValue",
    "hasNext",
    "hasPrevious",
    "hash",
    "hashCode",
    "identityHashCode",
    "indexOf",
    "isEmpty",
    "isPresent",
    "iterator",
    "keySet",
    "lastIndexOf",
    "length",
    "listIterator",
    "nanoTime",
    "next",
    "of",
    "orElse",
    "peek",
    "peekFirst",
    "peekLast",
    "pop",
    "previous",
    "push",
    "put",
    "remove",
    "removeFirst",
    "removeLast",
    "requireNonNull",
    "set",
    "setLength",
    "singletonList",
    "size",
    "subList",
    "toString",
    "values",
];

/// The others that classes of the program inherit from the JDK's collections and iterators.
const INHERITED: [&str; 13] = [
    "addAll",
    "compute",
    "computeIfAbsent",
    "computeIfPresent",
    "forEach",
    "forEachRemaining",
    "merge",
    "putAll",
    "removeAll",
    "removeIf",
    "replaceAll",
    "retainAll",
    "sort",
];

pub(crate) fn calling(called: &MemberRef<'_>) -> Calling {
    let name = |names: &[&str]| names.iter().any(|name| called.name == name.as_bytes());
    let (package, class) = match called.class.iter().rposition(|&byte| byte == b'/') {
        Some(end) => called.class.split_at(end + 1),
        None => (&b""[..], called.class),
    };
    let of_platform = PLATFORM
        .iter()
        .any(|start| package.starts_with(start.as_bytes()));
    match package {
        // `int[].clone()`.
        _ if called.class.starts_with(b"[") => Calling::Nothing,
        _ if !of_platform && name(&INHERITED) => Calling::Bulk,
        _ if !of_platform => Calling::Program,
        b"java/lang/" if class == b"Object" && name(&["<init>", "getClass"]) => Calling::Nothing,
        b"java/lang/" if called.name == b"<init>" && is_exception(class) => Calling::Nothing,
        b"java/lang/" if STATELESS.iter().any(|known| class == known.as_bytes()) => {
            // Others ask the object for its text.
            let any = |part: &[u8]| contains(called.descriptor, part);
            let asks = any(b"/Object;") || any(b"/CharSequence;") || any(b"/Iterable;");
            if asks && called.name != b"equals" {
                Calling::Program
            } else {
                Calling::Nothing
            }
        }
        // Whoever implements these is the program.
        b"java/util/function/" => Calling::Program,
        b"java/lang/" if name(&["run", "call", "close"]) => Calling::Program,
        // They have made room when they come to compare.
        b"java/util/" | b"java/util/concurrent/" if class.ends_with(b"Queue") => Calling::Bulk,
        b"java/io/" | b"java/nio/" | b"java/text/" if called.name != b"<init>" => Calling::Bulk,
        _ if name(&SIMPLE) => Calling::Program,
        _ => Calling::Bulk,
    }
}

fn is_exception(class: &[u8]) -> bool {
    class.ends_with(b"Exception") || class.ends_with(b"Error")
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// What a method is known to change by ways that its code does not show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Changes {
    /// All fields of the receiver, and the arrays in them.
    Receiver,
    /// The elements of the array that is its first argument; what its own code stores needs no notes then.
    Argument,
}

pub(crate) fn changes(class: &[u8], method: &[u8]) -> Option<Changes> {
    let starts = |names: &[&str]| {
        let begins = |name: &&str| method.starts_with(name.as_bytes());
        names.iter().any(begins)
    };
    match class {
        b"java/lang/AbstractStringBuilder" => {
            starts(&["delete", "insert", "replace", "reverse", "setCharAt"])
                .then_some(Changes::Receiver)
        }
        // By a VarHandle.
        b"java/util/concurrent/atomic/AtomicBoolean"
        | b"java/util/concurrent/atomic/AtomicReference" => starts(&[
            "compareAnd",
            "getAndSet",
            "lazySet",
            "set",
            "weakCompareAnd",
        ])
        .then_some(Changes::Receiver),
        // By the nodes of its pattern.
        b"java/util/regex/Matcher" => starts(&["find", "lookingAt", "matches", "region", "reset"])
            .then_some(Changes::Receiver),
        b"java/util/Arrays" => {
            starts(&["fill", "parallel", "set", "sort"]).then_some(Changes::Argument)
        }
        _ => None,
    }
}

/// Whether `java.lang.$RecrashUnsafeWrites` has a method that takes note and then does the same.
pub(crate) fn is_raw_write(called: &MemberRef<'_>) -> bool {
    const KINDS: [&[u8]; 3] = [b"Int", b"Long", b"Reference"];
    const WRITES: [(&[u8], &[u8]); 5] = [
        (b"compareAndSet", b""),
        (b"getAndSet", b""),
        (b"getAndAdd", b""),
        (b"put", b"Release"),
        (b"put", b"Volatile"),
    ];
    called.class == b"jdk/internal/misc/Unsafe"
        && WRITES.iter().any(|(start, end)| {
            let kind = called.name.strip_prefix(*start);
            kind.and_then(|kind| kind.strip_suffix(*end))
                .is_some_and(|kind| KINDS.contains(&kind))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collections_are_kept_and_threads_at_work_are_not() {
        assert!(keeps_writes("java/util/HashMap$Node"));
        assert!(keeps_writes("java/util/regex/Matcher"));
        assert!(keeps_writes(BUILDER));
        assert!(!keeps_writes("java/util/regex/Pattern$Node"));
        assert!(!keeps_writes(
            "java/util/concurrent/locks/ReentrantLock$Sync"
        ));
        assert!(!keeps_writes("java/lang/Thread"));
        assert!(!keeps_writes("java/util/concurrent/ThreadPoolExecutor"));
    }

    #[test]
    fn calls_are_told_apart_by_what_can_have_changed_when_they_fail() {
        let of = |class: &'static [u8], name: &'static [u8], descriptor: &'static [u8]| {
            calling(&MemberRef {
                class,
                name,
                descriptor,
            })
        };
        assert_eq!(of(b"java/lang/String", b"length", b"()I"), Calling::Nothing);
        assert_eq!(
            of(b"java/lang/IllegalStateException", b"<init>", b"()V"),
            Calling::Nothing
        );
        assert_eq!(
            of(b"[I", b"clone", b"()Ljava/lang/Object;"),
            Calling::Nothing
        );
        // It asks the object for its text, which is the program's code.
        let text = b"(Ljava/lang/Object;)Ljava/lang/String;";
        assert_eq!(of(b"java/lang/String", b"valueOf", text), Calling::Program);
        assert_eq!(of(b"shop/Order", b"total", b"()J"), Calling::Program);
        assert_eq!(
            of(b"java/util/List", b"add", b"(Ljava/lang/Object;)Z"),
            Calling::Program
        );
        let all = b"(Ljava/util/Collection;)Z";
        assert_eq!(of(b"java/util/List", b"addAll", all), Calling::Bulk);
        assert_eq!(of(b"shop/Orders", b"addAll", all), Calling::Bulk);
        let each = b"(Ljava/util/function/Consumer;)V";
        assert_eq!(of(b"java/util/List", b"forEach", each), Calling::Bulk);
        assert_eq!(
            of(b"java/util/Queue", b"add", b"(Ljava/lang/Object;)Z"),
            Calling::Bulk
        );
        assert_eq!(of(b"java/io/InputStream", b"read", b"([B)I"), Calling::Bulk);
    }

    #[test]
    fn raw_writes_are_those_that_have_a_double() {
        let called = |name: &'static [u8]| MemberRef {
            class: b"jdk/internal/misc/Unsafe",
            name,
            descriptor: b"",
        };
        assert!(is_raw_write(&called(b"compareAndSetReference")));
        assert!(is_raw_write(&called(b"putIntRelease")));
        assert!(!is_raw_write(&called(b"getReferenceAcquire")));
        assert!(!is_raw_write(&called(b"putInt")));
    }
}
