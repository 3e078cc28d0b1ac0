//! Values as one short line: `Order{id=7, lines=ArrayList[2]}`.

use crate::graph::Graph;
use crate::style::{push_printable, shortened};
use crate::view::{View, field_of, integer, view};
use recrash_heap::manifest::Value;
use recrash_heap::{Kind, Object};
use std::fmt::Write as _;

/// Characters of a string that are shown inside another value.
const SHORT_STRING: usize = 40;

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

/// A class as people say it: without package, `Outer.Inner` for nested ones, `int[]` for arrays.
pub fn class_name(class: &str) -> String {
    let element = class.trim_start_matches('[');
    let dimensions = class.len() - element.len();
    let element = if dimensions == 0 {
        element
    } else {
        match element {
            "Z" => "boolean",
            "B" => "byte",
            "C" => "char",
            "S" => "short",
            "I" => "int",
            "J" => "long",
            "F" => "float",
            "D" => "double",
            _ => element.trim_start_matches('L').trim_end_matches(';'),
        }
    };
    // A hidden class is `com.acme.Order$$Lambda/0x000…`: the address says nothing.
    let element = element.split_once("/0x").map_or(element, |(name, _)| name);
    let simple = element.rsplit(['.', '/']).next().unwrap_or(element);
    let simple = simple.split_once("$$Lambda").map_or_else(
        || nested(simple),
        |(host, _)| format!("{} lambda", nested(host)),
    );
    crate::printable(&simple) + &"[]".repeat(dimensions)
}

/// `Order$Line` → `Order.Line`; `Order$1` stays, because nobody wrote a name.
fn nested(simple: &str) -> String {
    let mut out = String::with_capacity(simple.len());
    let mut chars = simple.chars().peekable();
    while let Some(c) = chars.next() {
        let separates =
            c == '$' && !out.is_empty() && chars.peek().is_some_and(|next| next.is_alphabetic());
        out.push(if separates { '.' } else { c });
    }
    out
}

pub(crate) fn primitive(value: Value) -> String {
    match value {
        Value::Null | Value::Ref(_) => "null".to_owned(),
        Value::Boolean(v) => v.to_string(),
        Value::Byte(v) => v.to_string(),
        Value::Char(v) => {
            let mut text = String::from("'");
            push_unit(&mut text, char::from_u32(v.into()), v);
            text.push('\'');
            text
        }
        Value::Short(v) => v.to_string(),
        Value::Int(v) => v.to_string(),
        Value::Long(v) => v.to_string(),
        Value::FloatBits(bits) => format!("{:?}", f32::from_bits(bits)),
        Value::DoubleBits(bits) => format!("{:?}", f64::from_bits(bits)),
    }
}

fn push_unit(out: &mut String, c: Option<char>, unit: u16) {
    match c {
        Some(c) => push_printable(out, c),
        None => {
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
}

/// A string in quotes, its end replaced by its length when it is long.
pub(crate) fn quoted(units: impl Iterator<Item = u16>, length: usize) -> String {
    quoted_within(units, length, SHORT_STRING)
}

pub(crate) fn quoted_within(
    units: impl Iterator<Item = u16>,
    length: usize,
    most: usize,
) -> String {
    let mut out = String::from("\"");
    for c in char::decode_utf16(units.take(most)) {
        match c {
            Ok('"') => out.push_str("\\\""),
            Ok('\\') => out.push_str("\\\\"),
            Ok(c) => push_printable(&mut out, c),
            Err(error) => push_unit(&mut out, None, error.unpaired_surrogate()),
        }
    }
    out.push('"');
    if length > most {
        let _ = write!(out, "… ({length} characters)");
    }
    out
}

/// The decimal digits of a `BigInteger` or `BigDecimal`.
pub(crate) fn big_number(graph: Graph<'_>, object: &Object<'_>) -> Option<String> {
    if object.class == "java.math.BigInteger" {
        return big_integer(graph, object);
    }
    let scale = integer(field_of(object, "scale")?)?;
    let unscaled = match graph.target(field_of(object, "intVal")?) {
        Some(big) => big_integer(graph, &big)?,
        None => integer(field_of(object, "intCompact")?)?.to_string(),
    };
    let Ok(scale) = usize::try_from(scale) else {
        return Some(format!("{unscaled}E{}", -scale));
    };
    if scale == 0 {
        return Some(unscaled);
    }
    if scale > 60 {
        return Some(format!("{unscaled}E-{scale}"));
    }
    let (sign, digits) = unscaled
        .strip_prefix('-')
        .map_or(("", unscaled.as_str()), |digits| ("-", digits));
    let padded = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = padded.split_at_checked(padded.len() - scale)?;
    Some(format!("{sign}{whole}.{fraction}"))
}

fn big_integer(graph: Graph<'_>, object: &Object<'_>) -> Option<String> {
    /// Longer numbers are shown by their size.
    const MOST_WORDS: usize = 16;
    let signum = integer(field_of(object, "signum")?)?;
    let Kind::Array { elements, .. } = graph.target(field_of(object, "mag")?)?.kind else {
        return None;
    };
    if elements.len() > MOST_WORDS {
        return Some(format!("<{} bits>", elements.len() * 32));
    }
    let mut words: Vec<u32> = elements
        .iter()
        .map(|word| {
            if let Value::Int(word) = word {
                Some(*word as u32)
            } else {
                None
            }
        })
        .collect::<Option<_>>()?;
    let mut groups = Vec::new();
    while words.iter().any(|word| *word != 0) {
        let mut remainder = 0u64;
        for word in &mut words {
            let value = (remainder << 32) | u64::from(*word);
            *word = (value / 1_000_000_000) as u32;
            remainder = value % 1_000_000_000;
        }
        groups.push(remainder);
    }
    let mut text = String::from(if signum < 0 { "-" } else { "" });
    for (index, group) in groups.iter().rev().enumerate() {
        if index == 0 {
            text.push_str(&group.to_string());
        } else {
            let _ = write!(text, "{group:09}");
        }
    }
    if groups.is_empty() {
        text.push('0');
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_read_as_people_say_them() {
        for (binary, expected) in [
            ("com.acme.Order", "Order"),
            ("com.acme.Order$Line", "Order.Line"),
            ("com.acme.Order$1", "Order$1"),
            ("[[I", "int[][]"),
            ("[Ljava.lang.String;", "String[]"),
            ("com.acme.Order$$Lambda/0x0000000800c03000", "Order lambda"),
            ("evil\x1b[2J", "evil\\u001b[2J"),
        ] {
            assert_eq!(class_name(binary), expected);
        }
    }

    #[test]
    fn long_strings_say_their_length() {
        let units: Vec<u16> = "x".repeat(50).encode_utf16().collect();
        let text = quoted(units.iter().copied(), units.len());
        assert_eq!(text, format!("\"{}\"… (50 characters)", "x".repeat(40)));
    }

    #[test]
    fn primitives_read_as_in_source() {
        assert_eq!(primitive(Value::Char(10)), "'\\n'");
        assert_eq!(primitive(Value::Char(0xd800)), "'\\ud800'");
        assert_eq!(primitive(Value::DoubleBits(0.5f64.to_bits())), "0.5");
    }
}
