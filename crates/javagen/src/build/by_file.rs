//! Long strings and arrays lie in files beside the test, which reads each by one line.

use super::arrays::{pieces, text_of};
use super::helpers::Helper;
use super::planner::{LONGEST_TEXT, Planner, written};
use crate::comment;
use crate::literal::LONGEST_STRING;
use recrash_heap::manifest::Value;

/// More numbers than these are not read by anybody.
const MOST_NUMBERS: usize = 64;

/// Longer files say no more than the snapshot.
const LONGEST_FILE: usize = 1 << 20;

/// So much of a file is shown where it is read.
const SHOWN: usize = 48;

const NUMBERS_PER_LINE: usize = 16;

impl Planner<'_, '_> {
    /// A string as a literal, or read from a file where it is long; `None` where neither is possible.
    pub(super) fn text(&mut self, units: &[u16], hint: &str) -> Option<String> {
        if is_long_text(units)
            && let Ok(text) = String::from_utf16(units)
            && let Some(read) = self.text_read(text, units.len(), hint)
        {
            return Some(read);
        }
        let literal = written(units);
        (literal.len() <= LONGEST_TEXT).then_some(literal)
    }

    fn text_read(&mut self, text: String, length: usize, hint: &str) -> Option<String> {
        let about = format!("{length} characters: {}", beginning(&text));
        let read = self.bytes_read(text.into_bytes(), ("txt", hint), &about)?;
        let charsets = self.scope.library("java.nio.charset.StandardCharsets");
        Some(format!("new String({read}, {charsets}.UTF_8)"))
    }

    /// Whether an array is long enough for a file, and there may be one.
    pub(super) fn is_read(&self, component: &str, values: &[Value]) -> bool {
        let is_long = if let Some(units) = text_of(component, values) {
            is_long_text(&units)
        } else {
            let filled = pieces(values);
            filled.iter().map(ExactSizeIterator::len).sum::<usize>() > MOST_NUMBERS
        };
        is_long && self.world.files.is_some()
    }

    /// The array of these values, read from a file if it is long.
    pub(super) fn array_read(
        &mut self,
        component: &str,
        values: &[Value],
        hint: &str,
    ) -> Option<String> {
        if !self.is_read(component, values) {
            return None;
        }
        match component {
            "B" => {
                let bytes: Vec<u8> = values.iter().filter_map(|value| byte(*value)).collect();
                let extension = match text_of(component, values) {
                    Some(_) => "txt",
                    None => "bin",
                };
                let filled = values.iter().copied().filter(|value| !value.is_zero());
                let shown = match text_of(component, &filled.collect::<Vec<_>>()) {
                    Some(_) => {
                        let words = bytes
                            .split(|byte| *byte == 0)
                            .filter(|word| !word.is_empty());
                        String::from_utf8_lossy(&words.collect::<Vec<_>>().join(&b' ')).into_owned()
                    }
                    None => numbers(component, values)?.join(", "),
                };
                let about = format!("{} bytes: {}", values.len(), beginning(&shown));
                self.bytes_read(bytes, (extension, hint), &about)
            }
            "C" => {
                let units: Vec<u16> = values.iter().filter_map(|value| unit(*value)).collect();
                let text = String::from_utf16(&units).ok()?;
                let read = self.text_read(text, units.len(), hint)?;
                Some(format!("{read}.toCharArray()"))
            }
            _ => self.numbers_read(component, values, hint),
        }
    }

    fn numbers_read(&mut self, component: &str, values: &[Value], hint: &str) -> Option<String> {
        let parse = match component {
            "I" => "mapToInt(Integer::parseInt)",
            "J" => "mapToLong(Long::parseLong)",
            "D" => "mapToDouble(Double::parseDouble)",
            _ => return None,
        };
        let numbers = numbers(component, values)?;
        let lines: Vec<String> = numbers
            .chunks(NUMBERS_PER_LINE)
            .map(|line| line.join(" ") + "\n")
            .collect();
        let shown = numbers.join(", ");
        let about = format!("{} numbers: {}", values.len(), beginning(&shown));
        let read = self.bytes_read(lines.concat().into_bytes(), ("txt", hint), &about)?;
        self.helpers.need(Helper::Numbers);
        let file = read.strip_prefix("bytes")?;
        Some(format!("numbers{file}.{parse}.toArray()"))
    }

    /// `bytes("OrderCrashTest-page.txt")`, after a comment that says what it is.
    fn bytes_read(
        &mut self,
        bytes: Vec<u8>,
        (extension, hint): (&str, &str),
        about: &str,
    ) -> Option<String> {
        let files = self.world.files.filter(|_| bytes.len() <= LONGEST_FILE)?;
        let name = files.add(hint, extension, bytes);
        self.helpers.need(Helper::Bytes);
        self.statement(&format!("// {}", comment::text(about)));
        Some(format!("bytes(\"{name}\")"))
    }
}

/// Whether a literal would be too long to be read; many of one character are not.
fn is_long_text(units: &[u16]) -> bool {
    units.len() > LONGEST_STRING && written(units).len() > LONGEST_STRING
}

fn beginning(text: &str) -> String {
    text.chars().take(SHOWN).chain("...".chars()).collect()
}

/// As Java's own parsers take them; `None` where they would not give the same back.
fn numbers(component: &str, values: &[Value]) -> Option<Vec<String>> {
    let number = |value: &Value| match (component, *value) {
        ("B", Value::Byte(value)) => Some(value.to_string()),
        ("I", Value::Int(value)) => Some(value.to_string()),
        ("J", Value::Long(value)) => Some(value.to_string()),
        ("D", Value::DoubleBits(bits)) => {
            let value = f64::from_bits(bits);
            value.is_finite().then(|| format!("{value:?}"))
        }
        _ => None,
    };
    values.iter().map(number).collect()
}

fn byte(value: Value) -> Option<u8> {
    match value {
        Value::Byte(byte) => Some(byte as u8),
        _ => None,
    }
}

fn unit(value: Value) -> Option<u16> {
    match value {
        Value::Char(unit) => Some(unit),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_so_that_java_reads_the_same() {
        let doubles = [0.1, -0.0, 1e300].map(|value: f64| Value::DoubleBits(value.to_bits()));
        assert_eq!(
            numbers("D", &doubles),
            Some(vec!["0.1".into(), "-0.0".into(), "1e300".into()])
        );
        let nan = [Value::DoubleBits(f64::NAN.to_bits())];
        assert_eq!(numbers("D", &nan), None);
        assert_eq!(
            numbers("I", &[Value::Int(i32::MIN)]),
            Some(vec!["-2147483648".into()])
        );
    }

    #[test]
    fn many_of_one_character_are_no_long_text() {
        assert!(is_long_text(
            &"ab".repeat(101).encode_utf16().collect::<Vec<_>>()
        ));
        assert!(!is_long_text(&[65; 5000]));
        assert!(!is_long_text(
            &"ab".repeat(100).encode_utf16().collect::<Vec<_>>()
        ));
    }
}
