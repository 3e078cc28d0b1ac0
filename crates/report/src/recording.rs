//! A recording as people read it: who talked to whom, how often, and what is kept; and every event, a line each.

use crate::class_name::class_name;
use crate::style::printable;
use recrash_recording::{
    Content, End, Event, EventId, EventKind, Numbers, ObjectId, ObjectKind, Primitive, Recording,
    SiteId, Target, TextId, Value,
};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Characters of a text that are shown.
const SHOWN: usize = 60;
/// Elements of a content that are shown.
const MOST_SHOWN: usize = 12;

/// What the events of one kind at one place have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Talk {
    doing: &'static str,
    site: u32,
}

/// A recording at a glance; every event where `all` is set.
pub fn recording(recording: &Recording, all: bool) -> String {
    let mut text = String::new();
    let main = recording.told("main").next().unwrap_or("?");
    let calls = count(recording, |kind| matches!(kind, EventKind::Call(_)));
    let _ = writeln!(
        text,
        "{}: {} events, {} calls, {}",
        printable(main),
        grouped(recording.events.len() as u64),
        grouped(calls),
        ending(recording)
    );
    let _ = writeln!(text, "{}", objects(recording));
    text.push('\n');
    for (talk, times) in talks(recording) {
        let site = SiteId(talk.site);
        let _ = writeln!(
            text,
            "{:>12}  {:<9} {}  at {}",
            grouped(times),
            talk.doing,
            target(recording, site),
            place(recording, site)
        );
    }
    if all {
        text.push('\n');
        for (number, event) in recording.events.iter().enumerate() {
            let _ = writeln!(text, "{}", line(recording, EventId(number as u32), event));
        }
    }
    text
}

/// The same as JSON.
pub fn recording_json(recording: &Recording) -> serde_json::Value {
    let talks: Vec<serde_json::Value> = talks(recording)
        .into_iter()
        .map(|(talk, times)| {
            let site = SiteId(talk.site);
            serde_json::json!({
                "kind": talk.doing,
                "target": target(recording, site),
                "at": place(recording, site),
                "times": times,
            })
        })
        .collect();
    let kind = |wanted| {
        let all = recording.objects.iter();
        all.filter(|object| object.kind == wanted).count()
    };
    serde_json::json!({
        "main": recording.told("main").next(),
        "events": recording.events.len(),
        "calls": count(recording, |kind| matches!(kind, EventKind::Call(_))),
        "threads": recording.threads.len(),
        "objects": {
            "inside": kind(ObjectKind::Inside),
            "neutral": kind(ObjectKind::Neutral),
            "outside": kind(ObjectKind::Outside),
        },
        "failures": recording
            .failures
            .iter()
            .map(|failure| thrown(recording, failure.thrown))
            .collect::<Vec<_>>(),
        "whole": recording.end != End::Cut,
        "talks": talks,
    })
}

fn count(recording: &Recording, wanted: impl Fn(&EventKind) -> bool) -> u64 {
    let events = recording.events.iter();
    events.filter(|event| wanted(&event.kind)).count() as u64
}

fn ending(recording: &Recording) -> String {
    let failure = recording
        .failures
        .last()
        .map(|failure| format!("ended by {}", thrown(recording, failure.thrown)));
    let end = match recording.end {
        End::Cut => "cut",
        End::Whole { dropped: 0 } => "whole",
        End::Whole { .. } => "cut for want of room",
    };
    match failure {
        Some(failure) => format!("{end}, {failure}"),
        None => format!("{end}, no failure"),
    }
}

fn objects(recording: &Recording) -> String {
    let mut kinds: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for object in &recording.objects {
        let kind = match object.kind {
            ObjectKind::Inside => "inside",
            ObjectKind::Neutral => "neutral",
            ObjectKind::Outside => "outside",
        };
        let class = recording.type_of(object.class);
        let class = class.map_or("?", |class| class.name.as_str());
        *kinds.entry((kind, class)).or_default() += 1;
    }
    let mut lines: Vec<String> = Vec::new();
    for kind in ["inside", "neutral", "outside"] {
        let mut of_kind: Vec<(u64, &str)> = kinds
            .iter()
            .filter(|((known, _), _)| *known == kind)
            .map(|((_, class), times)| (*times, *class))
            .collect();
        of_kind.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        if of_kind.is_empty() {
            continue;
        }
        let total: u64 = of_kind.iter().map(|(times, _)| times).sum();
        let shown = of_kind.iter().take(6);
        let mut names: Vec<String> = shown
            .map(|(times, class)| format!("{} {}", grouped(*times), printable(class)))
            .collect();
        if of_kind.len() > 6 {
            names.push("…".to_owned());
        }
        lines.push(format!(
            "{} {kind}: {}",
            if total == 1 {
                "1 object is".to_owned()
            } else {
                format!("{} objects are", grouped(total))
            },
            names.join(", ")
        ));
    }
    lines.join("\n")
}

/// How often what happened where, the most frequent first.
fn talks(recording: &Recording) -> Vec<(Talk, u64)> {
    let mut counts: BTreeMap<Talk, u64> = BTreeMap::new();
    for event in &recording.events {
        let (doing, site) = match &event.kind {
            EventKind::Call(call) => ("call", call.site),
            EventKind::Callback(call) => ("callback", call.site),
            EventKind::Read(access) => ("read", access.site),
            EventKind::Write(access) => ("write", access.site),
            EventKind::ElementRead(element) => ("get", element.site),
            EventKind::ElementWrite(element) => ("set", element.site),
            EventKind::Answer(answer) => ("answer", answer.site),
            _ => continue,
        };
        let talk = Talk {
            doing,
            site: site.0,
        };
        *counts.entry(talk).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    counts
}

fn target(recording: &Recording, site: SiteId) -> String {
    match recording.site(site).map(|site| site.target) {
        Some(Target::Method(method)) => {
            recording.method(method).map_or_else(String::new, |found| {
                printable(&format!(
                    "{}.{}{}",
                    found.owner, found.name, found.descriptor
                ))
            })
        }
        Some(Target::Field(field)) => recording.field(field).map_or_else(String::new, |found| {
            printable(&format!("{}.{}", found.owner, found.name))
        }),
        _ => "an element".to_owned(),
    }
}

fn place(recording: &Recording, site: SiteId) -> String {
    let Some(site) = recording.site(site) else {
        return String::new();
    };
    let method = recording.method(site.inside_of);
    method.map_or_else(String::new, |method| {
        printable(&format!("{}.{}:{}", method.owner, method.name, site.line))
    })
}

fn line(recording: &Recording, number: EventId, event: &Event) -> String {
    let value = |value: Value| self::value(recording, value);
    let all = |values: &[Value]| {
        let shown: Vec<String> = values.iter().map(|one| value(*one)).collect();
        shown.join(", ")
    };
    let on = |receiver: Option<Value>| {
        receiver.map_or_else(String::new, |receiver| format!("{} ", value(receiver)))
    };
    let told = match &event.kind {
        EventKind::Call(call) => format!(
            "call {}{} ({}) at {}",
            on(call.receiver),
            target(recording, call.site),
            all(&call.arguments),
            place(recording, call.site)
        ),
        EventKind::Callback(call) => format!(
            "callback {}{} ({})",
            on(call.receiver),
            target(recording, call.site),
            all(&call.arguments)
        ),
        EventKind::Return { of, value: given } => {
            let given = given.map_or_else(String::new, |given| format!(" {}", value(given)));
            format!("return from {}{given}", of.0)
        }
        EventKind::Throw { of, thrown } => {
            format!("throw out of {} {}", of.0, self::thrown(recording, *thrown))
        }
        EventKind::Read(access) | EventKind::Write(access) => {
            let doing = match event.kind {
                EventKind::Read(_) => "read",
                _ => "write",
            };
            format!(
                "{doing} {}{} = {} at {}",
                on(access.receiver),
                target(recording, access.site),
                value(access.value),
                place(recording, access.site)
            )
        }
        EventKind::ElementRead(element) | EventKind::ElementWrite(element) => {
            let doing = match event.kind {
                EventKind::ElementRead(_) => "get",
                _ => "set",
            };
            format!(
                "{doing} {}[{}] = {}",
                value(element.array),
                element.index,
                value(element.value)
            )
        }
        EventKind::Content { object, content } => format!(
            "content {}: {}",
            self::object(recording, *object),
            self::content(recording, content)
        ),
        EventKind::Answer(answer) => format!(
            "answer {}{} ({}) = {}",
            on(answer.receiver),
            target(recording, answer.site),
            all(&answer.arguments),
            value(answer.value)
        ),
    };
    format!("{:>8} {}  {told}", number.0, event.thread)
}

fn value(recording: &Recording, value: Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Primitive(primitive) => self::primitive(primitive),
        Value::Boxed(primitive) => format!("boxed {}", self::primitive(primitive)),
        Value::Text(id) => format!("\"{}\"", text(recording, id)),
        Value::Literal(class, id) => {
            let class = recording.type_of(class).map_or("?", |class| &class.name);
            format!("{}({})", class_name(class), text(recording, id))
        }
        Value::Object(id) => object(recording, id),
        Value::Unknown => "(not kept)".to_owned(),
    }
}

fn primitive(primitive: Primitive) -> String {
    match primitive {
        Primitive::Boolean(is) => is.to_string(),
        Primitive::Byte(number) => number.to_string(),
        Primitive::Short(number) => number.to_string(),
        Primitive::Char(unit) => {
            let unit = char::from_u32(unit.into()).unwrap_or(char::REPLACEMENT_CHARACTER);
            format!("'{}'", printable(&unit.to_string()))
        }
        Primitive::Int(number) => number.to_string(),
        Primitive::Long(number) => format!("{number}L"),
        Primitive::Float(bits) => format!("{}f", f32::from_bits(bits)),
        Primitive::Double(bits) => format!("{:?}", f64::from_bits(bits)),
    }
}

fn text(recording: &Recording, id: TextId) -> String {
    let Some(text) = recording.text(id) else {
        return String::new();
    };
    let text = text.as_str();
    let mut shown: String = text.chars().take(SHOWN).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    printable(&shown)
}

fn object(recording: &Recording, id: ObjectId) -> String {
    let class = recording
        .object(id)
        .and_then(|object| recording.type_of(object.class));
    let class = class.map_or_else(String::new, |class| printable(&class_name(&class.name)));
    format!("{class}#{}", id.0)
}

fn content(recording: &Recording, content: &Content) -> String {
    let some = |values: &[Value], size: u64| {
        let shown = values.iter().take(MOST_SHOWN);
        let mut shown: Vec<String> = shown.map(|one| value(recording, *one)).collect();
        if size > shown.len() as u64 {
            shown.push(format!("… of {size}"));
        }
        shown.join(", ")
    };
    match content {
        Content::Elements { size, kept, .. } => format!("[{}]", some(kept, *size)),
        Content::Pairs { size, kept, .. } => {
            let shown = kept.iter().take(MOST_SHOWN);
            let mut shown: Vec<String> = shown
                .map(|&(key, of)| format!("{}={}", value(recording, key), value(recording, of)))
                .collect();
            if *size > shown.len() as u64 {
                shown.push(format!("… of {size}"));
            }
            format!("{{{}}}", shown.join(", "))
        }
        Content::Characters(id) => format!("\"{}\"", text(recording, *id)),
        Content::Numbers(numbers) => format!("{} numbers", amount(numbers)),
        Content::Fields(fields) => {
            let shown = fields.iter().map(|&(_, name, of)| {
                format!("{}={}", text(recording, name), value(recording, of))
            });
            let shown: Vec<String> = shown.collect();
            format!("({})", shown.join(", "))
        }
        Content::Throwable {
            message, frames, ..
        } => {
            let first = frames.first().map_or_else(String::new, |frame| {
                format!(
                    " at {}.{}:{}",
                    text(recording, frame.class),
                    text(recording, frame.method),
                    frame.line
                )
            });
            format!("{}{first}", value(recording, *message))
        }
        Content::Lambda(lambda) => format!(
            "{} by {}.{}",
            text(recording, lambda.interface),
            text(recording, lambda.body_class),
            text(recording, lambda.body_method)
        ),
    }
}

fn amount(numbers: &Numbers) -> usize {
    match numbers {
        Numbers::Boolean(all) => all.len(),
        Numbers::Byte(all) => all.len(),
        Numbers::Short(all) => all.len(),
        Numbers::Char(all) => all.len(),
        Numbers::Int(all) => all.len(),
        Numbers::Long(all) => all.len(),
        Numbers::Float(all) => all.len(),
        Numbers::Double(all) => all.len(),
    }
}

/// The type and the message of an exception, and where it was thrown.
fn thrown(recording: &Recording, value: Value) -> String {
    let Some(id) = value.object() else {
        return self::value(recording, value);
    };
    let class = recording
        .object(id)
        .and_then(|object| recording.type_of(object.class));
    let class = class.map_or_else(String::new, |class| printable(&class.name));
    let told = recording.events.iter().find_map(|event| match &event.kind {
        EventKind::Content { object, content } if *object == id => Some(content),
        _ => None,
    });
    let Some(Content::Throwable {
        message, frames, ..
    }) = told
    else {
        return class;
    };
    let message = match message {
        Value::Text(id) => format!(": {}", text(recording, *id)),
        _ => String::new(),
    };
    let at = frames.first().map_or_else(String::new, |frame| {
        format!(
            " at {}.{}:{}",
            text(recording, frame.class),
            text(recording, frame.method),
            frame.line
        )
    });
    format!("{class}{message}{at}")
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}
