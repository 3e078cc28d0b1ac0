//! What is written is read, and what is cut, flipped or made up is refused with a sentence or read in part.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use proptest::prelude::*;
use recrash_recording::{
    Answer, Call, Callback, Content, Element, End, Error, Event, EventId, EventKind, Failure,
    Field, FieldAccess, FieldId, Flags, Frame, Lambda, Limits, Method, MethodId, Numbers, Object,
    ObjectId, ObjectKind, Operation, Primitive, Recording, Side, Site, SiteId, Target, Text,
    TextId, Thread, Type, TypeId, Value, read, write,
};

const TEXTS: u32 = 5;
const TYPES: u32 = 4;
const OBJECTS: u32 = 300;

fn primitive() -> BoxedStrategy<Primitive> {
    prop_oneof![
        any::<bool>().prop_map(Primitive::Boolean),
        any::<i8>().prop_map(Primitive::Byte),
        any::<i16>().prop_map(Primitive::Short),
        any::<u16>().prop_map(Primitive::Char),
        any::<i32>().prop_map(Primitive::Int),
        (-40..200).prop_map(Primitive::Int),
        any::<i64>().prop_map(Primitive::Long),
        any::<u32>().prop_map(Primitive::Float),
        any::<u64>().prop_map(Primitive::Double),
    ]
    .boxed()
}

fn text() -> impl Strategy<Value = TextId> {
    (0..TEXTS).prop_map(TextId)
}

fn object() -> impl Strategy<Value = ObjectId> {
    (0..OBJECTS).prop_map(ObjectId)
}

fn value() -> BoxedStrategy<Value> {
    prop_oneof![
        Just(Value::Null),
        Just(Value::Unknown),
        primitive().prop_map(Value::Primitive),
        primitive().prop_map(Value::Boxed),
        text().prop_map(Value::Text),
        (0..TYPES, text()).prop_map(|(class, text)| Value::Literal(TypeId(class), text)),
        object().prop_map(Value::Object),
    ]
    .boxed()
}

fn values() -> impl Strategy<Value = Vec<Value>> {
    prop::collection::vec(value(), 0..4)
}

fn numbers() -> BoxedStrategy<Numbers> {
    prop_oneof![
        any::<Vec<bool>>().prop_map(Numbers::Boolean),
        any::<Vec<i8>>().prop_map(Numbers::Byte),
        any::<Vec<i16>>().prop_map(Numbers::Short),
        any::<Vec<u16>>().prop_map(Numbers::Char),
        any::<Vec<i32>>().prop_map(Numbers::Int),
        any::<Vec<i64>>().prop_map(Numbers::Long),
        any::<Vec<u32>>().prop_map(Numbers::Float),
        any::<Vec<u64>>().prop_map(Numbers::Double),
    ]
    .boxed()
}

fn content() -> BoxedStrategy<Content> {
    let frame = (text(), text(), prop::option::of(text()), any::<i32>());
    let frame = frame.prop_map(|(class, method, file, line)| Frame {
        class,
        method,
        file,
        line,
    });
    let pairs = prop::collection::vec((value(), value()), 0..3);
    let field = ((0..TYPES).prop_map(TypeId), text(), value());
    prop_oneof![
        (values(), any::<u64>(), values()).prop_map(|(made_with, size, kept)| {
            Content::Elements {
                made_with,
                size,
                kept,
            }
        }),
        (values(), any::<u64>(), pairs).prop_map(|(made_with, size, kept)| Content::Pairs {
            made_with,
            size,
            kept,
        }),
        text().prop_map(Content::Characters),
        numbers().prop_map(Content::Numbers),
        prop::collection::vec(field, 0..3).prop_map(Content::Fields),
        (value(), value(), prop::collection::vec(frame, 0..3)).prop_map(
            |(message, cause, frames)| Content::Throwable {
                message,
                cause,
                frames,
            }
        ),
        (text(), text(), text(), values()).prop_map(|(a, b, c, captured)| {
            Content::Lambda(Lambda {
                interface: a,
                method: b,
                descriptor: c,
                body_class: c,
                body_method: b,
                body_descriptor: a,
                captured,
            })
        }),
    ]
    .boxed()
}

const METHODS: [(&str, u8); 3] = [("make", 1), ("<init>", 0), ("run", 0)];

/// One site per operation that events name, the calls first: of a static method, a constructor, and one with a receiver.
fn tables() -> Recording {
    let mut recording = Recording {
        header: vec![
            ("main".into(), "a.Main".into()),
            ("argument".into(), String::new()),
        ],
        ..Recording::default()
    };
    recording.texts = (0..TEXTS)
        .map(|n| Text::Plain(format!("text {n}").into()))
        .collect();
    recording.texts[1] = Text::Units([0xd800, 65].into());
    recording.types = (0..TYPES)
        .map(|n| Type {
            name: format!("a.Type{n}"),
            side: [Side::Jdk, Side::Inside, Side::Outside][n as usize % 3],
            flags: Flags(n as u8),
            superclass: n.checked_sub(1).map(TypeId),
            interfaces: (0..n).map(TypeId).collect(),
        })
        .collect();
    recording.methods = METHODS
        .map(|(name, flags)| Method {
            owner: "a.Type1".into(),
            name: name.into(),
            descriptor: "()V".into(),
            flags: Flags(flags),
        })
        .to_vec();
    recording.fields = [0, 1]
        .map(|flags| Field {
            owner: "a.Type1".into(),
            name: "count".into(),
            descriptor: "I".into(),
            flags: Flags(flags),
        })
        .to_vec();
    let site = |operation, target| Site {
        inside_of: MethodId(0),
        line: 7,
        operation,
        target,
    };
    for operation in [Operation::Call, Operation::Entry, Operation::Question] {
        for method in 0..METHODS.len() {
            let target = Target::Method(MethodId(method as u32));
            recording.sites.push(site(operation, target));
        }
    }
    for operation in [Operation::Read, Operation::Write] {
        for field in 0..2 {
            recording
                .sites
                .push(site(operation, Target::Field(FieldId(field))));
        }
    }
    for operation in [Operation::ElementRead, Operation::ElementWrite] {
        recording.sites.push(site(operation, Target::Element));
    }
    recording.objects = (0..OBJECTS)
        .map(|n| Object {
            class: TypeId(n % TYPES),
            kind: [ObjectKind::Inside, ObjectKind::Neutral, ObjectKind::Outside][n as usize % 3],
        })
        .collect();
    recording.threads = vec![Thread {
        id: 1,
        name: "main".into(),
    }];
    recording
}

/// An event as it is drawn: returns find their calls later.
#[derive(Debug, Clone)]
enum Drawn {
    Call(u32, Value, Vec<Value>),
    Callback(u32, Value, Vec<Value>),
    Answer(u32, Value, Vec<Value>),
    Return(Option<Value>),
    Throw(Value),
    Access(u32, Value, Value),
    Element(u32, Value, i32, Value),
    Content(ObjectId, Content),
}

fn drawn() -> BoxedStrategy<Drawn> {
    prop_oneof![
        (0..3_u32, value(), values()).prop_map(|(m, r, a)| Drawn::Call(m, r, a)),
        (0..3_u32, value(), values()).prop_map(|(m, r, a)| Drawn::Callback(m, r, a)),
        (0..3_u32, value(), values()).prop_map(|(m, r, a)| Drawn::Answer(m, r, a)),
        prop::option::of(value()).prop_map(Drawn::Return),
        value().prop_map(Drawn::Throw),
        (0..4_u32, value(), value()).prop_map(|(s, r, v)| Drawn::Access(s, r, v)),
        (0..2_u32, value(), any::<i32>(), value())
            .prop_map(|(s, a, i, v)| Drawn::Element(s, a, i, v)),
        (object(), content()).prop_map(|(object, content)| Drawn::Content(object, content)),
    ]
    .boxed()
}

fn recording(drawn: Vec<(u32, Drawn)>, failed: Option<Value>, end: End) -> Recording {
    let mut recording = tables();
    let mut open: [Vec<EventId>; 3] = [const { Vec::new() }; 3];
    let receiver = |method: u32, value| (method == 2).then_some(value);
    for (thread, drawn) in drawn {
        let calls = &mut open[thread as usize];
        let here = EventId(recording.events.len() as u32);
        let kind = match drawn {
            Drawn::Call(method, value, arguments) => {
                calls.push(here);
                EventKind::Call(Call {
                    site: SiteId(method),
                    receiver: receiver(method, value),
                    arguments,
                })
            }
            Drawn::Callback(method, value, arguments) => {
                calls.push(here);
                EventKind::Callback(Callback {
                    site: SiteId(3 + method),
                    receiver: receiver(method, value),
                    arguments,
                })
            }
            Drawn::Answer(method, value, arguments) => EventKind::Answer(Answer {
                site: SiteId(6 + method),
                receiver: receiver(method, value),
                arguments,
                value,
            }),
            Drawn::Return(value) => match calls.pop() {
                Some(of) => EventKind::Return { of, value },
                None => continue,
            },
            Drawn::Throw(thrown) => match calls.pop() {
                Some(of) => EventKind::Throw { of, thrown },
                None => continue,
            },
            Drawn::Access(which, receiver, value) => {
                let access = FieldAccess {
                    site: SiteId(9 + which),
                    receiver: (which % 2 == 0).then_some(receiver),
                    value,
                };
                if which < 2 {
                    EventKind::Read(access)
                } else {
                    EventKind::Write(access)
                }
            }
            Drawn::Element(which, array, index, value) => {
                let element = Element {
                    site: SiteId(13 + which),
                    array,
                    index,
                    value,
                };
                if which == 0 {
                    EventKind::ElementRead(element)
                } else {
                    EventKind::ElementWrite(element)
                }
            }
            Drawn::Content(object, content) => EventKind::Content { object, content },
        };
        recording.events.push(Event { thread, kind });
    }
    let failure = failed.map(|thrown| Failure {
        thread: 1,
        thrown,
        at: EventId(recording.events.len() as u32),
    });
    recording.failures.extend(failure);
    recording.end = end;
    recording
}

fn recordings() -> BoxedStrategy<Recording> {
    let end = prop_oneof![
        Just(End::Cut),
        any::<u64>().prop_map(|dropped| End::Whole { dropped })
    ];
    let events = prop::collection::vec((0..3_u32, drawn()), 0..40);
    (events, prop::option::of(value()), end)
        .prop_map(|(drawn, failed, end)| recording(drawn, failed, end))
        .boxed()
}

proptest! {
    #[test]
    fn a_recording_is_read_as_it_was_written(recording in recordings()) {
        let read = read(&write(&recording), Limits::default()).unwrap();
        prop_assert_eq!(read, recording);
    }

    #[test]
    fn what_is_cut_is_a_beginning(recording in recordings(), at in any::<prop::sample::Index>()) {
        let bytes = write(&recording);
        let cut = at.index(bytes.len());
        match read(&bytes[..cut], Limits::default()) {
            Ok(part) => {
                prop_assert_eq!(part.end, End::Cut);
                prop_assert!(recording.events.starts_with(&part.events));
            }
            Err(Error::Empty) => prop_assert!(cut < 10),
            Err(other) => prop_assert!(false, "{}", other),
        }
    }

    #[test]
    fn a_flipped_bit_is_found(recording in recordings(), at in any::<prop::sample::Index>(), bit in 0..8_u8) {
        let mut bytes = write(&recording);
        let at = at.index(bytes.len());
        bytes[at] ^= 1_u8 << bit;
        // A length may point behind the end: then what came before is there.
        if let Ok(part) = read(&bytes, Limits::default()) {
            prop_assert_eq!(part.end, End::Cut);
            prop_assert!(recording.events.starts_with(&part.events));
        }
    }

    #[test]
    fn made_up_chunks_are_read_or_refused(kind in 1..6_u8, content in any::<Vec<u8>>()) {
        let mut bytes = write(&recording(Vec::new(), None, End::Cut));
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(&[kind]);
        checksum.update(&content);
        bytes.push(kind);
        bytes.extend((content.len() as u32).to_le_bytes());
        bytes.extend(checksum.finalize().to_le_bytes());
        bytes.extend(&content);
        if let Ok(made_up) = read(&bytes, Limits::default()) {
            let again = read(&write(&made_up), Limits::default());
            prop_assert_eq!(again.ok(), Some(made_up));
        }
    }
}

#[test]
fn other_files_and_versions_are_named() {
    let limits = Limits::default();
    assert!(matches!(read(b"PK\x03\x04", limits), Err(Error::Foreign)));
    assert!(matches!(read(b"", limits), Err(Error::Empty)));
    let mut bytes = write(&recording(Vec::new(), None, End::Cut));
    bytes[8] = 9;
    let error = read(&bytes, limits).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the recording has version 9 of the format, this recrash reads version 1; use the recrash that made it"
    );
}

#[test]
fn more_than_the_limit_is_refused() {
    let call = || (1, Drawn::Call(0, Value::Null, Vec::new()));
    let bytes = write(&recording(vec![call(), call(), call()], None, End::Cut));
    let limits = Limits {
        events: 2,
        ..Limits::default()
    };
    let error = read(&bytes, limits).unwrap_err();
    assert!(
        matches!(
            error,
            Error::TooMany {
                what: "events",
                most: 2
            }
        ),
        "{error}"
    );
    let limits = Limits {
        bytes: 20,
        ..Limits::default()
    };
    assert!(matches!(read(&bytes, limits), Err(Error::TooMany { .. })));
}

#[test]
fn a_call_takes_a_handful_of_bytes() {
    let call = || {
        let receiver = Value::Object(ObjectId(290));
        let argument = Value::Primitive(Primitive::Int(7));
        [
            (1, Drawn::Call(2, receiver, vec![argument])),
            (1, Drawn::Return(Some(Value::Object(ObjectId(291))))),
        ]
    };
    let none = write(&recording(Vec::new(), None, End::Cut)).len();
    let thousand: Vec<_> = (0..1000).flat_map(|_| call()).collect();
    let bytes = write(&recording(thousand, None, End::Cut)).len() - none;
    assert!(bytes <= 2000 * 5, "{bytes}");
}
