//! What travels between recrash and the JVM that runs programs which were searched for. Commands follow each other;
//! the greeting and each answer follow their length.

use crate::record::{Bytes, choice, record};

/// Both sides name it; a jar of another build is refused.
pub const VERSION: u32 = 2;
/// The messages in errors.
pub const WHAT: &str = "a message of the JVM that runs programs";

/// Kinds of what programs refer to by number, with their names on the Java side.
pub const MEMBERS: [(&str, u8); 4] = [
    ("MEMBER_TYPE", MEMBER_TYPE),
    ("MEMBER_CONSTRUCTOR", MEMBER_CONSTRUCTOR),
    ("MEMBER_METHOD", MEMBER_METHOD),
    ("MEMBER_FIELD", MEMBER_FIELD),
];
pub const MEMBER_TYPE: u8 = 0;
pub const MEMBER_CONSTRUCTOR: u8 = 1;
pub const MEMBER_METHOD: u8 = 2;
pub const MEMBER_FIELD: u8 = 3;

record! {
    /// What the JVM says first: the token it was given, and its version.
    pub struct Greeting {
        pub token: String,
        pub version: u32,
    }
}

choice! {
    /// What the JVM is told.
    pub enum Command {
        /// The first command: where classes are.
        1 => Begin { version: u32, class_path: Vec<String> },
        /// A class in place of the one of that name on the class path.
        2 => Define { name: String, bytes: Bytes },
        /// The next member that programs refer to by number.
        3 => Member { kind: u8, owner: String, name: String, descriptor: String },
        /// Static state starts anew.
        4 => Fresh {},
        /// Programs to run, one after the other; each is a list of statements.
        5 => Run { limit_millis: u32, programs: Vec<Bytes> },
    }
}

choice! {
    /// A statement of a program. Its value is what later ones refer to by its number.
    pub enum Statement {
        /// No object.
        0 => Null {},
        /// A number of a type that fits into an int; `kind` is the character of its descriptor.
        1 => Int { kind: u16, value: i32 },
        /// A long.
        2 => Long { value: i64 },
        /// A float.
        3 => Float { value: f32 },
        /// A double.
        4 => Double { value: f64 },
        /// A string.
        5 => Text { value: String },
        /// A class.
        6 => Type { member: u32 },
        /// A call of a constructor.
        7 => New { member: u32, arguments: Vec<u16> },
        /// A call of a method; the receiver is -1 for static ones.
        8 => Call { member: u32, receiver: i32, arguments: Vec<u16> },
        /// The value of a static field.
        9 => StaticField { member: u32 },
        /// An array.
        10 => Array { member: u32, elements: Vec<u16> },
        /// An object that stands in for another; `answers` are set after its constructor.
        11 => StandIn { member: u32, arguments: Vec<u16>, answers: Vec<Prepared> },
        /// Sets a field; the object is -1 for static ones.
        12 => SetField { member: u32, object: i32, value: u16 },
    }
}

record! {
    /// A value that a stand-in gives when it is asked.
    pub struct Prepared {
        pub member: u32,
        pub value: u16,
    }
}

record! {
    /// How far a program came.
    pub struct Progress {
        /// The statement that ended it, or the number of statements.
        pub statement: u32,
        /// What it was not allowed to do.
        pub refused: Option<String>,
        pub probes: Vec<u16>,
        /// By statement that ran: whether it gave something else than null.
        pub gave: Vec<bool>,
    }
}

record! {
    /// A line of the trace of what a program threw.
    pub struct Line {
        pub class_name: String,
        pub method: String,
        pub line: i32,
    }
}

choice! {
    /// What became of a program.
    pub enum Ran {
        /// It came to its end.
        0 => Passed { progress: Progress },
        /// It threw.
        1 => Threw { progress: Progress, class_name: String, message: String, trace: Vec<Line> },
        /// Its time was up; the JVM ends.
        2 => TooLong {},
        /// A class is missing or a value does not fit: nothing of the program's own threw.
        3 => Impossible { progress: Progress, class_name: String, message: String },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Wire;
    use proptest::prelude::*;

    fn vars() -> impl Strategy<Value = Vec<u16>> {
        prop::collection::vec(any::<u16>(), 0..4)
    }

    fn statement() -> impl Strategy<Value = Statement> {
        prop_oneof![
            Just(Statement::Null {}),
            any::<(u16, i32)>().prop_map(|(kind, value)| Statement::Int { kind, value }),
            any::<i64>().prop_map(|value| Statement::Long { value }),
            ".{0,8}".prop_map(|value| Statement::Text { value }),
            (any::<u32>(), vars())
                .prop_map(|(member, arguments)| Statement::New { member, arguments }),
            (any::<u32>(), any::<i32>(), vars()).prop_map(|(member, receiver, arguments)| {
                Statement::Call {
                    member,
                    receiver,
                    arguments,
                }
            }),
            (any::<u32>(), vars(), any::<u16>()).prop_map(|(member, arguments, value)| {
                Statement::StandIn {
                    member,
                    arguments,
                    answers: vec![Prepared { member, value }],
                }
            }),
            any::<(u32, i32, u16)>().prop_map(|(member, object, value)| Statement::SetField {
                member,
                object,
                value
            }),
        ]
    }

    fn progress() -> impl Strategy<Value = Progress> {
        let gave = prop::collection::vec(any::<bool>(), 0..4);
        (any::<u32>(), prop::option::of(".{0,8}"), vars(), gave).prop_map(
            |(statement, refused, probes, gave)| Progress {
                statement,
                refused,
                probes,
                gave,
            },
        )
    }

    proptest! {
        #[test]
        fn a_program_is_read_as_it_was_written(program in prop::collection::vec(statement(), 0..6)) {
            prop_assert_eq!(Vec::decode(WHAT, &program.encode()), Ok(program));
        }

        #[test]
        fn an_answer_is_read_as_it_was_written(progress in progress(), text in ".{0,8}", line in any::<i32>()) {
            let trace = vec![Line { class_name: text.clone(), method: text.clone(), line }];
            for ran in [
                Ran::Passed { progress: progress.clone() },
                Ran::Threw { progress: progress.clone(), class_name: text.clone(), message: text.clone(), trace },
                Ran::TooLong {},
                Ran::Impossible { progress: progress.clone(), class_name: text.clone(), message: text.clone() },
            ] {
                let bytes = ran.encode();
                prop_assert_eq!(Ran::decode(WHAT, &bytes), Ok(ran));
                for end in 0..bytes.len() {
                    prop_assert!(Ran::decode(WHAT, &bytes[..end]).is_err());
                }
            }
        }

        #[test]
        fn a_command_is_read_as_it_was_written(texts in prop::collection::vec(".{0,8}", 1..4), kind in any::<u8>()) {
            let first = || texts[0].clone();
            for command in [
                Command::Begin { version: VERSION, class_path: texts.clone() },
                Command::Define { name: first(), bytes: Bytes(texts[0].clone().into()) },
                Command::Member { kind, owner: first(), name: first(), descriptor: first() },
                Command::Fresh {},
                Command::Run { limit_millis: kind.into(), programs: vec![Bytes(vec![kind])] },
            ] {
                prop_assert_eq!(Command::decode(WHAT, &command.encode()), Ok(command));
            }
        }
    }
}
