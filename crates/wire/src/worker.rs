//! What travels between recrash and the worker JVM that tries candidates. Each message follows its length.

use crate::record::{Bytes, choice, record};

/// Both sides name it; a jar of another build is refused.
pub const VERSION: u32 = 4;
/// The messages in errors.
pub const WHAT: &str = "a message of the worker";

/// Values of [`Request::loader`], with their names on the Java side.
pub const LOADERS: [(&str, u8); 4] = [
    ("OWN_LOADER", OWN_LOADER),
    ("SYSTEM_LOADER", SYSTEM_LOADER),
    ("KEPT_LOADER", KEPT_LOADER),
    ("KEPT_LOADER_ANEW", KEPT_LOADER_ANEW),
];
pub const OWN_LOADER: u8 = 0;
pub const SYSTEM_LOADER: u8 = 1;
pub const KEPT_LOADER: u8 = 2;
pub const KEPT_LOADER_ANEW: u8 = 3;

record! {
    /// One candidate to run: a method is called on what a restore plan brings back.
    pub struct Request {
        pub version: u32,
        pub subject: Subject,
        pub class_path: Vec<String>,
        pub limit_millis: u64,
        pub stack_size: u64,
        pub loader: u8,
        pub plan: Bytes,
    }
}

record! {
    /// The method that is called, and what is around the call.
    pub struct Subject {
        /// What sentences call it: `frame 2 of X.recrash`.
        pub name: String,
        /// The class of the method, in dots.
        pub owner: String,
        pub method: String,
        pub descriptor: String,
        /// Access flags of the method.
        pub access: u32,
        /// The label of the capture point that the call has to reach, where it is one.
        pub capture_point: Option<String>,
        /// The name of the thread that calls.
        pub thread: String,
        pub surroundings: Surroundings,
    }
}

record! {
    /// What the JVM that calls takes over of the one that was recorded.
    pub struct Surroundings {
        pub locale: String,
        pub time_zone: String,
        pub charset: String,
        pub system_properties: Vec<Property>,
        pub jvm_arguments: Vec<String>,
    }
}

record! {
    /// A system property.
    pub struct Property {
        pub name: String,
        pub value: String,
    }
}

record! {
    /// A line of a stack trace.
    pub struct TraceLine {
        pub class_name: String,
        pub method: String,
        pub file: Option<String>,
        pub line: i32,
        pub module: Option<String>,
    }
}

record! {
    /// A throwable as plain text.
    pub struct Thrown {
        pub class_name: String,
        pub message: Option<String>,
        pub printable: bool,
        /// The object of the snapshot that it is; 0 for one that was made in the trial.
        pub restored: u32,
        pub trace: Vec<TraceLine>,
    }
}

choice! {
    /// A message of the worker: its greeting, or what became of a candidate. After `restart` it wants to be replaced.
    pub enum Answer {
        /// The worker is ready for requests of this version.
        0 => Ready { version: u32 },
        /// The method returned.
        1 => Returned { restart: bool, output: String },
        /// It threw: the throwable and its causes, outermost first.
        2 => Threw { chain: Vec<Thrown>, restart: bool, output: String },
        /// The frame could not be brought to life.
        3 => NotRestored { reason: String, restart: bool, output: String },
        /// Its time was up.
        4 => TimedOut { place: Option<String>, restart: bool, output: String },
        /// The JVM was told to exit.
        5 => Exited { caller: Option<String>, restart: bool, output: String },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::Malformed;
    use crate::record::Wire;
    use proptest::prelude::*;

    fn text() -> impl Strategy<Value = String> {
        ".{0,8}"
    }

    fn thrown() -> impl Strategy<Value = Thrown> {
        let line = (text(), prop::option::of(text()), any::<i32>());
        let trace = prop::collection::vec(line, 0..3);
        let flags = (any::<bool>(), any::<u32>());
        (text(), prop::option::of(text()), flags, trace).prop_map(
            |(class_name, message, (printable, restored), trace)| Thrown {
                trace: trace
                    .into_iter()
                    .map(|(method, file, line)| TraceLine {
                        class_name: class_name.clone(),
                        method,
                        module: file.clone(),
                        file,
                        line,
                    })
                    .collect(),
                class_name,
                message,
                printable,
                restored,
            },
        )
    }

    fn answer() -> impl Strategy<Value = Answer> {
        let optional = || prop::option::of(text());
        prop_oneof![
            any::<u32>().prop_map(|version| Answer::Ready { version }),
            (any::<bool>(), text())
                .prop_map(|(restart, output)| Answer::Returned { restart, output }),
            (prop::collection::vec(thrown(), 0..3), any::<bool>(), text()).prop_map(
                |(chain, restart, output)| Answer::Threw {
                    chain,
                    restart,
                    output
                }
            ),
            (text(), any::<bool>(), text()).prop_map(|(reason, restart, output)| {
                Answer::NotRestored {
                    reason,
                    restart,
                    output,
                }
            }),
            (optional(), any::<bool>(), text()).prop_map(|(place, restart, output)| {
                Answer::TimedOut {
                    place,
                    restart,
                    output,
                }
            }),
            (optional(), any::<bool>(), text()).prop_map(|(caller, restart, output)| {
                Answer::Exited {
                    caller,
                    restart,
                    output,
                }
            }),
        ]
    }

    proptest! {
        #[test]
        fn an_answer_is_read_as_it_was_written(answer in answer()) {
            let bytes = answer.encode();
            prop_assert_eq!(Answer::decode(WHAT, &bytes), Ok(answer));
            for end in 0..bytes.len() {
                prop_assert!(Answer::decode(WHAT, &bytes[..end]).is_err());
            }
        }

        #[test]
        fn a_request_is_read_as_it_was_written(
            texts in prop::collection::vec(text(), 0..4),
            (access, time, loader) in any::<(u32, u32, u8)>(),
            label in prop::option::of(text()),
            plan in prop::collection::vec(any::<u8>(), 0..9),
        ) {
            let first = texts.first().cloned().unwrap_or_default();
            let property = |text: &String| Property { name: text.clone(), value: first.clone() };
            let surroundings = Surroundings {
                locale: first.clone(),
                time_zone: String::new(),
                charset: first.clone(),
                system_properties: texts.iter().map(property).collect(),
                jvm_arguments: texts.clone(),
            };
            let subject = Subject {
                name: first.clone(),
                owner: first.clone(),
                method: String::new(),
                descriptor: first.clone(),
                access,
                capture_point: label,
                thread: first.clone(),
                surroundings,
            };
            let request = Request {
                version: VERSION,
                subject,
                class_path: texts,
                limit_millis: u64::from(time) << 9,
                stack_size: time.into(),
                loader,
                plan: Bytes(plan),
            };
            prop_assert_eq!(Request::decode(WHAT, &request.encode()), Ok(request));
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = Answer::decode(WHAT, &bytes);
            let _ = Request::decode(WHAT, &bytes);
        }
    }

    #[test]
    fn an_unknown_kind_is_named() {
        assert_eq!(
            Answer::decode(WHAT, &[9]),
            Err(Malformed::Unknown {
                what: WHAT,
                code: 9,
                at: 0
            })
        );
    }
}
