//! The planted values, in every way in which they could be written.

use std::fmt;
use std::io::{Cursor, Read};
use std::path::Path;
use zip::ZipArchive;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Canary {
    Text(String),
    Number(i64),
}

impl fmt::Display for Canary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Number(number) => write!(f, "{number}"),
        }
    }
}

/// Given to the program as `CANARY_APP_SECRET`.
pub const FROM_ENVIRONMENT: &str = "canary-environment-1026-planted";
/// Given to the program on its command line.
pub const OPTION: &str = "canary-option-1027-planted";
pub const PROPERTY: &str = "canary-property-1028-planted";

impl Canary {
    pub fn is_from_environment(&self) -> bool {
        *self == Self::Text(FROM_ENVIRONMENT.to_owned())
    }

    fn forms(&self) -> Vec<Vec<u8>> {
        match self {
            Self::Text(text) => {
                let units: Vec<u16> = text.encode_utf16().collect();
                let mut forms = vec![
                    text.clone().into_bytes(),
                    units.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
                    units.iter().flat_map(|unit| unit.to_be_bytes()).collect(),
                ];
                let latin1: Option<Vec<u8>> =
                    units.iter().map(|unit| u8::try_from(*unit).ok()).collect();
                forms.extend(latin1);
                // As JSON and Java source may write it.
                let escaped: String = units
                    .iter()
                    .map(|unit| match unit {
                        0x20..=0x7e => char::from(*unit as u8).to_string(),
                        _ => format!("\\u{unit:04x}"),
                    })
                    .collect();
                forms.push(escaped.into_bytes());
                forms
            }
            Self::Number(number) => {
                let mut forms = vec![number.to_string().into_bytes()];
                if i32::try_from(*number).is_err() {
                    forms.push(number.to_le_bytes().to_vec());
                    forms.push(number.to_be_bytes().to_vec());
                } else {
                    forms.push((*number as i32).to_le_bytes().to_vec());
                }
                forms
            }
        }
    }
}

/// What `Canaries.java` plants.
pub fn planted() -> Vec<Canary> {
    let numbered = [
        ("canary-static-", 1),
        ("canary-field-", 2),
        ("канарейка-", 3),
        ("canary-chars-", 4),
        ("canary-bytes-", 5),
        ("canary-builder-", 6),
        ("птица-", 7),
        ("canary-fixed-", 8),
        ("canary-record-", 9),
        ("canary-annotated-", 10),
        ("canary-type-", 14),
        ("canary-local-", 15),
        ("canary-lambda-", 17),
        ("canary-map-", 18),
        ("canary-header-", 19),
        ("canary-properties-", 20),
        ("canary-nested-", 21),
        ("canary-system-", 23),
        ("canary-argument-", 24),
        ("canary-parameter-", 25),
    ];
    let numbered = numbered.map(|(start, number)| format!("{start}{}-planted", 1000 + number));
    let whole = [
        FROM_ENVIRONMENT,
        OPTION,
        PROPERTY,
        "9f86d081884c7d659a2feaa0c55ad015",
        "canary.eleven@example.org",
        "canary.sixteen@example.org",
        "DE89 3704 0044 0532 0130 00",
        "4111 1111 1111 1111",
        "canary12.token-value",
        "eyJzdWIiOiJjYW5hcnkifQ",
        "AKIACANARY0EXAMPLE00",
        "Y2FuYXJ5LXByaXZhdGUta2V5",
        "canary-url-13",
    ];
    let numbers = [
        471_108_152_342,
        815_471_123_409,
        8_154_711,
        999_123_456_781,
        5_105_105_105_105_100,
    ];
    let texts = numbered.into_iter().chain(whole.map(str::to_owned));
    texts
        .map(Canary::Text)
        .chain(numbers.map(Canary::Number))
        .collect()
}

/// Which of the canaries are somewhere in the bytes.
pub fn found_in<'c>(canaries: &'c [Canary], bytes: &[u8]) -> Vec<&'c Canary> {
    canaries
        .iter()
        .filter(|canary| {
            let forms = canary.forms();
            forms.iter().any(|form| contains(bytes, form))
        })
        .collect()
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    let Some(first) = wanted.first() else {
        return false;
    };
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| byte == first) {
        rest = &rest[at..];
        if rest.starts_with(wanted) {
            return true;
        }
        rest = &rest[1..];
    }
    false
}

/// A file with everything that is packed in it, one behind the other.
pub fn unpacked(path: &Path) -> Vec<u8> {
    let mut all = Vec::new();
    unpack(std::fs::read(path).unwrap(), &mut all);
    all
}

fn unpack(bytes: Vec<u8>, all: &mut Vec<u8>) {
    if let Ok(mut archive) = ZipArchive::new(Cursor::new(&bytes)) {
        for index in 0..archive.len() {
            let mut entry = Vec::new();
            archive
                .by_index(index)
                .unwrap()
                .read_to_end(&mut entry)
                .unwrap();
            unpack(entry, all);
        }
    }
    all.extend(bytes);
}
