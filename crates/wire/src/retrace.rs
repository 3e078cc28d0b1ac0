//! What travels between recrash and the JVM that runs a program's driver step by step, and plays what the driver did again.
//! Commands follow each other; the greeting ([`crate::synth::Greeting`]) and each answer follow their length.

use crate::record::{Bytes, choice};
use crate::synth::Line;

/// Both sides name it; a jar of another build is refused.
pub const VERSION: u32 = 1;
/// The messages in errors.
pub const WHAT: &str = "a message of the JVM that retraces a run";

choice! {
    /// What the JVM is told.
    pub enum Retrace {
        /// The first command: where classes are, and the main class with its arguments.
        1 => Begin { class_path: Vec<String>, driver: String, arguments: Vec<String> },
        /// To run the driver, without these rounds of its loops; the run without such a list finds them. With `adopt` its events are
        /// answered, and are what `Play` speaks of from then on. With `fresh` static state starts anew.
        2 => Drive { limit_millis: u32, fresh: bool, adopt: bool, left: Option<Bytes> },
        /// To play these events and answer what the watched ones of them (by their place among them) gave. With `looks` it is found out which
        /// changed nothing that they could reach; with `roots` whether the last one changed anything that these objects lead to.
        /// With `models` the same calls are made on the JDK's collections.
        3 => Play { limit_millis: u32, fresh: bool, looks: bool, models: bool, kept: Vec<u32>, watched: Vec<u32>, roots: Vec<u32> },
        /// Events that `Play` speaks of from now on: [`Steps`].
        4 => Load { objects: u32, steps: Bytes },
    }
}

choice! {
    /// What became of it.
    pub enum Retraced {
        /// The driver came to its end, or to an exception. `rounds` tells of which loop of the main method each is, from 1 on, and 0 for those inside
        /// other loops and methods.
        0 => Drove {
            class_name: Option<String>,
            message: Option<String>,
            trace: Vec<Line>,
            by_driver: bool,
            site: String,
            failing: i32,
            rounds: Vec<u16>,
            decision: Option<Bytes>,
            events: Option<Bytes>,
        },
        /// Events were played, up to the one that failed; -1 for all of them.
        1 => Played {
            at: i32,
            class_name: Option<String>,
            message: Option<String>,
            trace: Vec<Line>,
            unresolved: Option<String>,
            same: bool,
            gave: Bytes,
            pure_events: Bytes,
            changed: bool,
            model: Option<Bytes>,
        },
        /// Its time was up; the JVM ends.
        2 => TooLong {},
        /// Its time was up, and it ended.
        3 => Late {},
        /// The driver does what is not interpreted.
        4 => Unsupported { what: String },
    }
}

choice! {
    /// A value, or an object by its number.
    pub enum Operand {
        /// No object.
        0 => Nothing {},
        /// A number of a type that fits into an int; `kind` is the character of its descriptor.
        1 => Number { kind: u16, value: i32 },
        /// A long.
        2 => LongNumber { value: i64 },
        /// A float.
        3 => FloatNumber { value: f32 },
        /// A double.
        4 => DoubleNumber { value: f64 },
        /// A string.
        5 => Text { value: String },
        /// A class, by its binary name.
        6 => Type { name: String },
        /// An object that an event gave.
        7 => Object { number: u32 },
        /// Any other object, of this class.
        8 => Other { name: String },
    }
}

choice! {
    /// Where a value is from.
    pub enum Origin {
        /// From nowhere: it is written in the code.
        0 => Constant {},
        /// An event gave it.
        1 => Event { number: u32 },
        /// It was computed from others.
        2 => Computed { operation: String, values: Vec<Operand>, of: Vec<Origin> },
    }
}

crate::record::record! {
    /// One thing that the driver did.
    pub struct Step {
        pub kind: u8,
        pub member: u32,
        pub inside: bool,
        pub threw: bool,
        pub receiver: Operand,
        pub arguments: Vec<Operand>,
        /// The number of the object that it gave; -1 for none.
        pub result: i32,
        pub value: Operand,
    }
}

crate::record::record! {
    /// A constructor, a method, a field, or a type.
    pub struct Member {
        pub owner: String,
        pub name: String,
        pub descriptor: String,
    }
}

crate::record::record! {
    /// All that the driver did.
    pub struct Steps {
        pub members: Vec<Member>,
        pub steps: Vec<Step>,
    }
}

crate::record::record! {
    /// An operand of the condition that led to a throw.
    pub struct Compared {
        pub value: Operand,
        pub origin: Origin,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Wire;

    #[test]
    fn where_a_value_is_from_is_read_as_it_was_written() {
        let value = || Operand::Text {
            value: "a".to_owned(),
        };
        let origin = Origin::Computed {
            operation: "equals".to_owned(),
            values: vec![value(), Operand::LongNumber { value: -1 }],
            of: vec![Origin::Constant {}, Origin::Event { number: 7 }],
        };
        let compared = vec![Compared {
            value: value(),
            origin,
        }];
        let bytes = compared.encode();
        assert_eq!(Vec::decode(WHAT, &bytes), Ok(compared));
        for end in 0..bytes.len() {
            assert!(Vec::<Compared>::decode(WHAT, &bytes[..end]).is_err());
        }
    }
}
