//! Java literals: every value that can be written in source so that the compiler gives back the same bits.

use std::fmt::Write as _;

/// The longest string, in UTF-16 units, that is still written out; longer ones are loaded from the snapshot.
pub(crate) const LONGEST_STRING: usize = 200;

/// A string literal, quotes included. Everything outside printable ASCII becomes a `\u` escape, so that the
/// source means the same under every `-encoding` and lone surrogates survive.
pub fn string(units: &[u16]) -> String {
    let mut text = String::with_capacity(units.len() + 2);
    text.push('"');
    for &unit in units {
        push_escaped(&mut text, unit, '"');
    }
    text.push('"');
    text
}

/// The escapes of a string literal without its quotes, for comments.
pub(crate) fn unquoted(units: &[u16]) -> String {
    let mut text = String::with_capacity(units.len());
    for &unit in units {
        push_escaped(&mut text, unit, '\0');
    }
    text
}

pub fn char(unit: u16) -> String {
    let mut text = String::from("'");
    push_escaped(&mut text, unit, '\'');
    text.push('\'');
    text
}

fn push_escaped(text: &mut String, unit: u16, quote: char) {
    let plain = u8::try_from(unit).ok().map(char::from);
    match plain {
        Some('\n') => text.push_str("\\n"),
        Some('\r') => text.push_str("\\r"),
        Some('\t') => text.push_str("\\t"),
        Some('\\') => text.push_str("\\\\"),
        Some(c) if c == quote => {
            text.push('\\');
            text.push(c);
        }
        Some(c) if c == ' ' || c.is_ascii_graphic() => text.push(c),
        // `\u000a` would be a line break before the compiler sees the literal (JLS 3.3); control characters
        // therefore take the octal form, always three digits so that a following digit is not swallowed.
        Some(c) if c.is_ascii_control() => {
            let _ = write!(text, "\\{:03o}", c as u32);
        }
        _ => {
            let _ = write!(text, "\\u{unit:04x}");
        }
    }
}

pub fn int(value: i32) -> String {
    if value == i32::MIN {
        "Integer.MIN_VALUE".into()
    } else {
        value.to_string()
    }
}

pub fn long(value: i64) -> String {
    if value == i64::MIN {
        "Long.MIN_VALUE".into()
    } else {
        format!("{value}L")
    }
}

pub fn float(bits: u32) -> String {
    let value = f32::from_bits(bits);
    if value.is_nan() {
        return if bits == 0x7fc0_0000 {
            "Float.NaN".into()
        } else {
            format!("Float.intBitsToFloat(0x{bits:08x})")
        };
    }
    if value.is_infinite() {
        return if value > 0.0 {
            "Float.POSITIVE_INFINITY".into()
        } else {
            "Float.NEGATIVE_INFINITY".into()
        };
    }
    format!("{}f", decimal(&format!("{value:?}")))
}

pub fn double(bits: u64) -> String {
    let value = f64::from_bits(bits);
    if value.is_nan() {
        return if bits == 0x7ff8_0000_0000_0000 {
            "Double.NaN".into()
        } else {
            format!("Double.longBitsToDouble(0x{bits:016x}L)")
        };
    }
    if value.is_infinite() {
        return if value > 0.0 {
            "Double.POSITIVE_INFINITY".into()
        } else {
            "Double.NEGATIVE_INFINITY".into()
        };
    }
    decimal(&format!("{value:?}"))
}

/// Rust's shortest round-trip form is valid Java, except that Java's exponent is written `E`.
fn decimal(shortest: &str) -> String {
    shortest.replace('e', "E")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    #[test]
    fn strings_escape_quotes_controls_and_everything_beyond_ascii() {
        assert_eq!(
            string(&utf16("a\"b\\c\n\u{0}1ü😀")),
            r#""a\"b\\c\n\0001\u00fc\ud83d\ude00""#
        );
        assert_eq!(string(&[0xd800]), r#""\ud800""#);
        assert_eq!(string(&utf16("it's")), r#""it's""#);
    }

    #[test]
    fn chars_escape_their_own_quote_only() {
        assert_eq!(char(u16::from(b'\'')), r"'\''");
        assert_eq!(char(u16::from(b'"')), "'\"'");
        assert_eq!(char(0x7f), r"'\177'");
    }

    #[test]
    fn numbers_keep_their_extremes() {
        assert_eq!(int(i32::MIN), "Integer.MIN_VALUE");
        assert_eq!(int(-5), "-5");
        assert_eq!(long(i64::MAX), "9223372036854775807L");
        assert_eq!(float(1.5f32.to_bits()), "1.5f");
        assert_eq!(float(f32::MIN_POSITIVE.to_bits()), "1.1754944E-38f");
        assert_eq!(double((-0.0f64).to_bits()), "-0.0");
        assert_eq!(double(1e300f64.to_bits()), "1E300");
        assert_eq!(double(f64::NAN.to_bits()), "Double.NaN");
        assert_eq!(
            double(0x7ff8_0000_0000_0001),
            "Double.longBitsToDouble(0x7ff8000000000001L)"
        );
    }
}
