//! What the runtime inside the program tells the agent of a failure, in two reports: the description, enough to decide
//! whether the failure is new, and later the values of its frames and the world around.
//!
//! The runtime writes while it walks, so lists stand last in each record: the Java side gets a method that writes the
//! numbers and texts before them, and writes the lists in the order of their declaration.

use crate::codec::Malformed;
use crate::record::{Java, Wire, record};

/// Both reports begin with it: classes and library of different builds may meet where a JVM loads two of them.
pub const VERSION: u32 = 1;
/// The reports in errors.
pub const WHAT: &str = "the runtime's record";

macro_rules! kinds {
    ($($name:ident = $bit:literal,)*) => {
        $(pub const $name: u32 = $bit;)*

        /// The kinds of failures, by where they are recognised: names on the Java side, and bits.
        pub const KINDS: &[(&str, u32)] = &[$((stringify!($name), $bit)),*];
    };
}

kinds! {
    UNCAUGHT = 1,
    LOGGED = 2,
    FUTURES = 4,
    WEB = 8,
    TESTS = 16,
    NAMED = 32,
    POINT = 64,
    ENTRY = 128,
    PRINTED = 256,
    DROPPED = 512,
    EXIT = 1024,
}

record! {
    /// The first report.
    pub struct Description {
        pub version: u32,
        /// One of [`KINDS`].
        pub kind: u32,
        /// Counts what was captured.
        pub number: u32,
        /// The number of the same failure, captured before with fewer frames; 0 if it was not.
        pub replaces: u32,
        pub thread_name: Option<String>,
        pub thread: i64,
        pub daemon: bool,
        pub is_virtual: bool,
        /// The uncaught one first.
        pub throwables: Vec<Throwable>,
    }
}

record! {
    /// One throwable of the chain.
    pub struct Throwable {
        pub class_name: String,
        pub message: Option<String>,
        /// How many woven frames it left, where `recorded` keeps only the first and the last of them.
        pub total: i32,
        pub trace: Vec<Element>,
        /// The sites of the frames it left, innermost first.
        pub recorded: Vec<u32>,
        /// The sites of constructors that were inside `super(...)`, outermost first.
        pub constructors: Vec<u32>,
    }
}

record! {
    /// A line of a stack trace.
    pub struct Element {
        pub class_name: String,
        pub method: String,
        pub file: Option<String>,
        pub line: i32,
        pub module: Option<String>,
    }
}

record! {
    /// The second report.
    pub struct Contents {
        pub version: u32,
        /// The root cause first, because its frames matter most when the budget is small.
        pub frames: Vec<Frames>,
        /// The throwables themselves, the uncaught one first.
        pub objects: Vec<u32>,
        pub sources: Vec<Source>,
        pub thread_locals: Vec<Pair>,
        pub inheritable_thread_locals: Vec<Pair>,
        pub statics: Vec<StaticField>,
        pub properties: Vec<Property>,
        pub places: Vec<String>,
        pub jvm_arguments: Vec<String>,
        pub world: World,
        pub limits: Vec<String>,
        /// By frame, in the order of `frames`: what was walked decides which changes count, so they come last.
        pub changes: Vec<Changes>,
    }
}

record! {
    /// The values of one throwable's frames, as its description lists them.
    pub struct Frames {
        pub recorded: Vec<Values>,
        pub constructors: Vec<Values>,
    }
}

record! {
    /// What one handler put, in the order of the puts of each kind.
    pub struct Values {
        /// Ids in the heap part, 0 for null.
        pub references: Vec<u32>,
        pub primitives: Vec<i64>,
    }
}

record! {
    /// Where the class of a site was loaded from.
    pub struct Source {
        pub site: u32,
        pub place: Option<String>,
    }
}

record! {
    /// Key and value of a thread local.
    pub struct Pair {
        pub key: u32,
        pub value: u32,
    }
}

record! {
    /// A static field.
    pub struct StaticField {
        pub class_name: String,
        pub field: String,
        pub descriptor: String,
        pub is_final: bool,
        pub reference: u32,
        pub bits: i64,
    }
}

record! {
    /// A system property.
    pub struct Property {
        pub key: String,
        pub value: String,
    }
}

record! {
    /// What decides behaviour besides objects.
    pub struct World {
        pub java_home: Option<String>,
        pub java_version: Option<String>,
        pub class_path: Option<String>,
        pub module_path: Option<String>,
        pub working_directory: Option<String>,
        pub locale: Option<String>,
        pub time_zone: Option<String>,
        pub charset: Option<String>,
    }
}

record! {
    /// What was different when a frame was entered.
    pub struct Changes {
        pub changes: Vec<Change>,
    }
}

record! {
    /// A place that had another value.
    pub struct Change {
        /// 0 for a static field.
        pub object: u32,
        pub class_name: String,
        /// `[7]` for an element of an array.
        pub field: String,
        pub descriptor: String,
        pub reference: u32,
        pub bits: i64,
    }
}

/// The records that the Java side writes, but for their lists.
pub(crate) const RECORDS: [Java; 10] = [
    Description::JAVA,
    Throwable::JAVA,
    Element::JAVA,
    Contents::JAVA,
    Source::JAVA,
    Pair::JAVA,
    StaticField::JAVA,
    Property::JAVA,
    World::JAVA,
    Change::JAVA,
];

/// Reads a report, which begins with its version.
pub fn read<T: Wire>(bytes: &[u8]) -> Result<T, Malformed> {
    let mut reader = crate::codec::Reader::new(WHAT, bytes);
    let version = u32::take(&mut reader)?;
    reader.expect(version, VERSION)?;
    T::decode(WHAT, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_description_is_read_as_it_was_written(
            text in ".{0,8}",
            message in prop::option::of(".{0,8}"),
            sites in prop::collection::vec(any::<u32>(), 0..4),
            (line, flag) in any::<(i32, bool)>(),
        ) {
            let element = Element {
                class_name: text.clone(),
                method: text.clone(),
                file: message.clone(),
                line,
                module: message.clone(),
            };
            let throwable = Throwable {
                class_name: text.clone(),
                message: message.clone(),
                total: line,
                trace: vec![element],
                recorded: sites.clone(),
                constructors: sites,
            };
            let description = Description {
                version: VERSION,
                kind: 1,
                number: 2,
                replaces: 0,
                thread_name: message,
                thread: line.into(),
                daemon: flag,
                is_virtual: !flag,
                throwables: vec![throwable],
            };
            let bytes = description.encode();
            prop_assert_eq!(read(&bytes), Ok(description));
            for end in 0..bytes.len() {
                prop_assert!(read::<Description>(&bytes[..end]).is_err());
            }
        }

        #[test]
        fn no_bytes_make_the_second_report_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = read::<Contents>(&bytes);
        }
    }

    #[test]
    fn a_report_of_another_version_is_told_in_one_line() {
        let error = read::<Description>(&[0, 0, 0, 9]).unwrap_err().to_string();
        assert!(
            error.starts_with("the runtime's record has version 9, this side reads version 1"),
            "{error}"
        );
    }
}
