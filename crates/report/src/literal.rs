//! Primitives and strings as source writes them.

use crate::style::push_printable;
use recrash_heap::manifest::Value;
use std::fmt::Write as _;

/// Characters of a string that are shown inside another value.
const SHORT_STRING: usize = 40;

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

#[cfg(test)]
mod tests {
    use super::*;

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
