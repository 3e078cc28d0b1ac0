//! What follows `=` in `-agentpath:…/librecrash.so=key=value,key=value`: written by recrash or by hand, read by the agent.
//!
//! There is no version: a key that the agent does not know is named, and the others count.

use std::fmt::Write as _;

macro_rules! keys {
    ($($key:ident = $name:literal,)*) => {
        /// What an option is about. How its value reads is the agent's matter.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Key {
            $($key,)*
        }

        impl Key {
            pub const ALL: &[Self] = &[$(Self::$key),*];

            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$key => $name,)*
                }
            }

            pub fn of_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$key),)*
                    _ => None,
                }
            }
        }
    };
}

keys! {
    Out = "out",
    Log = "log",
    Include = "include",
    Exclude = "exclude",
    Strategy = "strategy",
    Label = "label",
    Session = "session",
    Verbose = "verbose",
    Repeat = "repeat",
    MaxObjects = "max-objects",
    MaxBytes = "max-bytes",
    MaxMillis = "max-millis",
    MaxDisk = "max-disk",
    Failures = "failures",
    On = "on",
    Look = "look",
    Watch = "watch",
    Privacy = "privacy",
    Rules = "rules",
    Advice = "advice",
    Known = "known",
    Record = "record",
    MaxRecord = "max-record",
}

/// A part of the text that is no option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Defect {
    NotAPair(String),
    Unknown(String),
}

/// The names of all options, for errors.
pub fn names() -> String {
    let names: Vec<&str> = Key::ALL.iter().map(|key| key.name()).collect();
    names.join(", ")
}

pub fn write(options: &[(Key, String)]) -> String {
    let pairs: Vec<String> = options
        .iter()
        .map(|(key, value)| format!("{}={}", key.name(), encoded(value)))
        .collect();
    pairs.join(",")
}

pub fn read(text: &str) -> impl Iterator<Item = Result<(Key, String), Defect>> {
    text.split(',').filter(|pair| !pair.is_empty()).map(|pair| {
        let (key, value) = pair
            .split_once('=')
            .ok_or_else(|| Defect::NotAPair(decoded(pair)))?;
        let key = Key::of_name(key).ok_or_else(|| Defect::Unknown(key.to_owned()))?;
        Ok((key, decoded(value)))
    })
}

/// A list as one value.
pub fn joined(items: &[String]) -> String {
    items.join(":")
}

/// The list in a value.
pub fn split(value: &str) -> impl Iterator<Item = &str> {
    value.split(':').filter(|item| !item.is_empty())
}

/// Percent-encoded, so that neither the option's own separators nor the JVM's splitting of `JAVA_TOOL_OPTIONS`
/// (white space and quotes) cut a value.
fn encoded(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"/.-_:*+@$~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

/// Undoes percent-encoding; a `%` that starts no code stands for itself.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let code = (first == b'%')
            .then(|| tail.get(..2))
            .flatten()
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(code.unwrap_or(first));
        rest = tail
            .get(if code.is_some() { 2 } else { 0 }..)
            .unwrap_or_default();
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn options_are_read_as_they_were_written(values in prop::collection::vec((0..Key::ALL.len(), ".{0,12}"), 0..6)) {
            let options: Vec<(Key, String)> = values.into_iter().map(|(key, value)| (Key::ALL[key], value)).collect();
            let read: Result<Vec<_>, _> = read(&write(&options)).collect();
            prop_assert_eq!(read, Ok(options));
        }

        #[test]
        fn what_was_written_is_one_word(value in ".{0,12}") {
            let text = write(&[(Key::Label, value)]);
            prop_assert!(!text.contains([' ', '"', '\'', '\t', '\n']), "{}", text);
        }
    }

    #[test]
    fn a_percent_sign_without_a_code_stands_for_itself() {
        assert_eq!(decoded("50%,100%zz%4"), "50%,100%zz%4");
    }

    #[test]
    fn what_is_no_option_is_named() {
        let read: Vec<_> = read("colour=red,naked,,out=x").collect();
        assert_eq!(
            read,
            [
                Err(Defect::Unknown("colour".to_owned())),
                Err(Defect::NotAPair("naked".to_owned())),
                Ok((Key::Out, "x".to_owned())),
            ]
        );
    }
}
