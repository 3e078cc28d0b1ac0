//! The numbers in the log of a failing run; what stands where is told in the crate that reads it.
//!
//! A file is [`MAGIC`], the version in two bytes, and chunks: a kind, the length and the CRC-32 of what follows in four bytes
//! each, all little-endian. Numbers inside of chunks are LEB128, signed ones zigzag.

pub const MAGIC: [u8; 8] = *b"\x89RCRLOG\n";
pub const VERSION: u16 = 1;
/// Set in the kind of a chunk whose content is deflated: its length in four bytes, then the stream.
pub const DEFLATED: u8 = 0x80;
/// Chunks of definitions from this length on are deflated where that makes them shorter.
pub const WORTH_DEFLATING: usize = 4096;
/// Bytes before the first chunk.
pub const START: usize = 10;
/// Bytes before the content of a chunk: kind, length, checksum of the kind and the content.
pub const CHUNK_HEADER: usize = 9;

/// The tag of the int 0; ints near it are one byte.
pub const SMALL_ZERO: u8 = 0x60;
pub const SMALLEST: i16 = -32;
pub const LARGEST: i16 = 159;

constants! {
    /// The kinds of chunks.
    chunk {
        /// Names and values about the run.
        HEADER = 1,
        /// Rows of tables that later chunks refer to.
        DEFINITIONS = 2,
        /// What one thread did, one after the other.
        EVENTS = 3,
        /// The exception that ended the run.
        FAILURE = 4,
        /// Nothing follows.
        END = 5,
    }
}

constants! {
    /// The tables that definitions add a row to.
    definition {
        TEXT = 1,
        /// A text with half of a surrogate pair, as UTF-16.
        UNITS = 2,
        TYPE = 3,
        METHOD = 4,
        FIELD = 5,
        SITE = 6,
        OBJECT = 7,
        THREAD = 8,
    }
}

constants! {
    /// What a site does.
    operation {
        CALL = 0,
        /// Outside code is entered.
        ENTRY = 1,
        /// Inside code is entered, by whoever.
        ARRIVAL = 2,
        READ = 3,
        WRITE = 4,
        ELEMENT_READ = 5,
        ELEMENT_WRITE = 6,
        /// Inside code asks the environment.
        QUESTION = 7,
        LAMBDA = 8,
    }
}

constants! {
    /// On which side of the border a class is.
    side {
        JDK = 0,
        INSIDE = 1,
        OUTSIDE = 2,
    }
}

constants! {
    /// Flags of types and members.
    flag {
        STATIC = 1,
        INTERFACE = 2,
        FINAL = 4,
        ABSTRACT = 8,
        /// Made by the JVM or a proxy generator: nothing can name it.
        HIDDEN = 16,
        /// Called without dispatch: by `super`, or as a constructor.
        SPECIAL = 32,
    }
}

constants! {
    /// How an object is had again.
    object_kind {
        /// By the events that made it.
        INSIDE = 0,
        /// By its content, which is kept where it first crosses.
        NEUTRAL = 1,
        /// Not: something stands in for it.
        OUTSIDE = 2,
    }
}

constants! {
    /// The kinds of events.
    event {
        /// The thread's next event has an order that is not the next one.
        ORDER = 0,
        CALL = 1,
        CALLBACK = 2,
        RETURN = 3,
        RETURN_NOTHING = 4,
        THROW = 5,
        READ = 6,
        WRITE = 7,
        ELEMENT_READ = 8,
        ELEMENT_WRITE = 9,
        CONTENT = 10,
        ANSWER = 11,
    }
}

constants! {
    /// The kinds of values.
    value {
        NULL = 0,
        OBJECT = 1,
        TEXT = 2,
        FALSE = 3,
        TRUE = 4,
        BYTE = 5,
        SHORT = 6,
        CHAR = 7,
        INT = 8,
        LONG = 9,
        FLOAT = 10,
        DOUBLE = 11,
        BOXED = 12,
        LITERAL = 13,
        /// Not kept.
        UNKNOWN = 14,
    }
}

constants! {
    /// The forms of content.
    content {
        ELEMENTS = 1,
        PAIRS = 2,
        CHARACTERS = 3,
        NUMBERS = 4,
        FIELDS = 5,
        THROWABLE = 6,
        LAMBDA = 7,
    }
}

/// All of them, with the first part of their names on the Java side.
pub(crate) const FAMILIES: &[(&str, &[(&str, u8)])] = &[
    ("CHUNK", chunk::ALL),
    ("DEFINE", definition::ALL),
    ("DO", operation::ALL),
    ("SIDE", side::ALL),
    ("FLAG", flag::ALL),
    ("KIND", object_kind::ALL),
    ("EVENT", event::ALL),
    ("VALUE", value::ALL),
    ("CONTENT", content::ALL),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_constants_of_a_family_are_the_same() {
        for (family, all) in FAMILIES {
            let mut codes: Vec<u8> = all.iter().map(|(_, code)| *code).collect();
            codes.sort_unstable();
            codes.dedup();
            assert_eq!(codes.len(), all.len(), "{family}");
        }
    }

    #[test]
    fn small_numbers_are_told_from_other_values() {
        let first = i16::from(SMALL_ZERO) + SMALLEST;
        assert!(value::ALL.iter().all(|(_, code)| i16::from(*code) < first));
        assert_eq!(i16::from(SMALL_ZERO) + LARGEST, 0xff);
    }
}
