//! Values as one short line: `Order{id=7, lines=ArrayList[2]}`.

use crate::class_name::class_name;
use crate::graph::Graph;
use crate::literal::{primitive, quoted};
use crate::style::shortened;
use crate::view::{View, view};
use recrash_heap::manifest::Value;
use recrash_heap::{Kind, Object};

/// A value in at most `width` columns. Contents are shown one level deep.
pub fn describe(graph: Graph<'_>, value: Value, width: usize) -> String {
    let text = match graph.target(value) {
        None => primitive(value),
        Some(object) => whole(graph, &object),
    };
    shortened(&text, width)
}

/// As [`describe`], for an object at hand.
pub fn describe_object(graph: Graph<'_>, object: &Object<'_>, width: usize) -> String {
    shortened(&whole(graph, object), width)
}

/// More parts than this never fit a line.
const MOST_PARTS: usize = 24;

fn whole(graph: Graph<'_>, object: &Object<'_>) -> String {
    let class = class_name(object.class);
    match view(graph, object) {
        View::String(text) => quoted(text.units(), text.len()),
        View::Scalar(text) => scalar(object, &text),
        View::Sequence { size: 0, .. } | View::Table { size: 0, .. } => head(object, 0),
        View::Sequence { elements, size } => {
            let parts: Vec<String> = elements
                .iter()
                .take(MOST_PARTS)
                .map(|value| inner(graph, *value))
                .collect();
            format!("{} {{{}}}", head(object, size), joined(&parts, size))
        }
        View::Table { entries, size } => {
            let parts: Vec<String> = entries
                .iter()
                .take(MOST_PARTS)
                .map(|(key, value)| format!("{}={}", inner(graph, *key), inner(graph, *value)))
                .collect();
            format!("{} {{{}}}", head(object, size), joined(&parts, size))
        }
        View::Fields(fields) if fields.is_empty() => class,
        View::Fields(fields) => {
            let parts: Vec<String> = fields
                .iter()
                .take(MOST_PARTS)
                .map(|(name, value)| format!("{}={}", crate::printable(name), inner(graph, *value)))
                .collect();
            format!("{class}{{{}}}", joined(&parts, fields.len()))
        }
        View::Absent(reason) => format!("{class} <{}>", crate::printable(&reason)),
    }
}

fn joined(parts: &[String], size: usize) -> String {
    let mut text = parts.join(", ");
    if size > parts.len() {
        text.push_str(", …");
    }
    text
}

/// A value inside another one: its contents only where they are short.
pub(crate) fn inner(graph: Graph<'_>, value: Value) -> String {
    let Some(object) = graph.target(value) else {
        return primitive(value);
    };
    match view(graph, &object) {
        View::String(text) => quoted(text.units(), text.len()),
        View::Scalar(text) => scalar(&object, &text),
        View::Sequence { size, .. } | View::Table { size, .. } => head(&object, size),
        View::Fields(_) => class_name(object.class),
        View::Absent(reason) => format!(
            "{} <{}>",
            class_name(object.class),
            crate::printable(&reason)
        ),
    }
}

/// `Color.RED`, `7`, `LocalDate 2024-02-29`.
pub(crate) fn scalar(object: &Object<'_>, text: &str) -> String {
    let text = crate::printable(text);
    match object.kind {
        Kind::Enum { .. } => format!("{}.{text}", class_name(enum_class(object.class))),
        Kind::Instance { .. } if !object.class.starts_with("java.lang.") => {
            format!("{} {text}", class_name(object.class))
        }
        _ => text,
    }
}

/// A constant with a body is of class `Color$1`; people know it as `Color`.
fn enum_class(class: &str) -> &str {
    match class.rsplit_once('$') {
        Some((outer, number)) if number.bytes().all(|b| b.is_ascii_digit()) => outer,
        _ => class,
    }
}

/// `ArrayList[2]`, `int[3]`.
pub(crate) fn head(object: &Object<'_>, size: usize) -> String {
    let (before, behind) = head_around_size(object.class);
    format!("{before}{size}{behind}")
}

/// `ArrayList[` and `]`, `int[` and `][]`.
pub(crate) fn head_around_size(class: &str) -> (String, String) {
    let class = collection_name(class).map_or_else(|| class_name(class), str::to_owned);
    match class.split_once("[]") {
        Some((element, more)) => (format!("{element}["), format!("]{more}")),
        None => (format!("{class}["), "]".to_owned()),
    }
}

/// The JDK's private collection classes, by what people write to get one.
fn collection_name(class: &str) -> Option<&'static str> {
    let nested = class.strip_prefix("java.util.")?;
    Some(match nested {
        "ImmutableCollections$List12" | "ImmutableCollections$ListN" => "List.of",
        "ImmutableCollections$Set12" | "ImmutableCollections$SetN" => "Set.of",
        "ImmutableCollections$Map1" | "ImmutableCollections$MapN" => "Map.of",
        "Arrays$ArrayList" => "Arrays.asList",
        "Collections$UnmodifiableList" | "Collections$UnmodifiableRandomAccessList" => {
            "unmodifiableList"
        }
        "Collections$UnmodifiableSet" => "unmodifiableSet",
        "Collections$UnmodifiableMap" => "unmodifiableMap",
        _ => return None,
    })
}
