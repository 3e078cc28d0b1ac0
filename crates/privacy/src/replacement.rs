//! What stands in the place of a value that was redacted: always as long as the value, so that no record moves.

use crate::check_digits::correct_check_digits;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

/// How the replacement is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `x`, `X` and `0` by class; separators stay.
    Mask,
    /// Other characters of the same classes, by a salted hash; the number tells attempts apart.
    Classes(u32),
    /// Small letters and digits throughout.
    Length(u32),
    /// Letters change, everything else stays.
    Structure(u32),
    /// Digits change so that the check digits of cards and accounts are right.
    Checked(u32),
}

impl Shape {
    /// What is tried in turn for a value whose mask does not do.
    pub const ATTEMPTS: [Shape; 8] = [
        Shape::Classes(1),
        Shape::Checked(1),
        Shape::Structure(1),
        Shape::Length(1),
        Shape::Classes(2),
        Shape::Structure(2),
        Shape::Checked(2),
        Shape::Length(2),
    ];
}

/// Stay as they are: without them a text often has no meaning to the program at all.
const SEPARATORS: &str = " -_.@/:,;+=()\t\n\r";

const LOCK: [u16; 2] = [0xd83d, 0xdd12];

/// The replacement of a text in UTF-16 units. It has units beyond Latin-1 where the text has some, and only there.
pub(crate) fn replaced(original: &[u16], shape: Shape, salt: &RandomState) -> Vec<u16> {
    let mut chance = Chance::of(original, shape, salt);
    let mut text: Vec<u16> = original
        .iter()
        .map(|&unit| match shape {
            Shape::Mask => masked(unit),
            Shape::Classes(_) => chance.same_class(unit),
            Shape::Length(_) => chance.any(unit),
            Shape::Structure(_) if is_letter(unit) => chance.same_class(unit),
            Shape::Checked(_) if is_digit(unit) => chance.same_class(unit),
            Shape::Structure(_) | Shape::Checked(_) => unit,
        })
        .collect();
    if let Shape::Checked(_) = shape {
        correct_check_digits(&mut text);
    }
    if text == original && !is_mask(original) {
        // Nothing but separators, or the one value in many that maps to itself.
        for unit in &mut text {
            *unit = if *unit > 0xff {
                0xff0a
            } else {
                u16::from(b'*')
            };
        }
    }
    text
}

fn is_mask(text: &[u16]) -> bool {
    text.iter()
        .all(|&unit| masked(unit) == unit && !is_separator(unit))
}

fn is_separator(unit: u16) -> bool {
    char::from_u32(unit.into()).is_some_and(|character| SEPARATORS.contains(character))
}

fn is_digit(unit: u16) -> bool {
    (u16::from(b'0')..=u16::from(b'9')).contains(&unit)
}

fn is_letter(unit: u16) -> bool {
    char::from_u32(unit.into()).is_some_and(char::is_alphabetic)
}

fn masked(unit: u16) -> u16 {
    let Some(character) = char::from_u32(unit.into()) else {
        // Half of a pair.
        let [high, low] = LOCK;
        return if unit < 0xdc00 { high } else { low };
    };
    let wide = unit > 0xff;
    let mask = match character {
        _ if unit == 0 => return 0,
        _ if is_separator(unit) => return unit,
        '0'..='9' => '0',
        _ if wide && character.is_uppercase() => 'Ж',
        _ if wide && character.is_lowercase() => 'ж',
        _ if wide && character.is_alphanumeric() => '文',
        _ if wide => '＊',
        _ if character.is_uppercase() => 'X',
        _ if character.is_alphabetic() => 'x',
        _ => '*',
    };
    mask as u16
}

/// Characters by a hash of the whole text: equal texts have equal replacements, and nothing leads back without the salt,
/// which is never written.
struct Chance(u64);

impl Chance {
    fn of(original: &[u16], shape: Shape, salt: &RandomState) -> Self {
        let attempt = match shape {
            Shape::Mask => 0,
            Shape::Classes(n) | Shape::Length(n) | Shape::Structure(n) | Shape::Checked(n) => n,
        };
        Self(salt.hash_one((original, attempt)))
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn from(&mut self, first: char, count: u64) -> u16 {
        first as u16 + (self.next() % count) as u16
    }

    fn same_class(&mut self, unit: u16) -> u16 {
        match masked(unit) {
            kept if kept == unit && is_separator(unit) => unit,
            mask if mask == 'x' as u16 => self.from('a', 26),
            mask if mask == 'X' as u16 => self.from('A', 26),
            mask if mask == '0' as u16 => self.from('0', 10),
            mask if mask == 'ж' as u16 => self.from('а', 32),
            mask if mask == 'Ж' as u16 => self.from('А', 32),
            mask if mask == '文' as u16 => self.from('一', 4096),
            mask => mask,
        }
    }

    fn any(&mut self, unit: u16) -> u16 {
        if unit > 0xff {
            return self.same_class(unit);
        }
        match self.next() % 36 {
            digit @ 0..=9 => u16::from(b'0') + digit as u16,
            letter => u16::from(b'a') + (letter - 10) as u16,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_digits::{has_luhn_digit, iban_bytes};

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    fn made(text: &str, shape: Shape) -> String {
        let salt = RandomState::new();
        String::from_utf16(&replaced(&units(text), shape, &salt)).unwrap()
    }

    #[test]
    fn a_mask_keeps_length_classes_and_separators() {
        assert_eq!(
            made("Bob.Smith-42@x.org", Shape::Mask),
            "Xxx.Xxxxx-00@x.xxx"
        );
        assert_eq!(made("p!ss", Shape::Mask), "x*xx");
        assert_eq!(made("Страж", Shape::Mask), "Жжжжж");
        assert_eq!(made("🗝", Shape::Mask), "🔒");
        assert_eq!(made("...", Shape::Mask), "***");
        assert_eq!(made("xxx", Shape::Mask), "xxx");
    }

    #[test]
    fn a_hash_is_stable_under_one_salt_and_tells_values_apart() {
        let salt = RandomState::new();
        let hash = |text: &str| replaced(&units(text), Shape::Classes(0), &salt);
        assert_eq!(hash("Alice-1984"), hash("Alice-1984"));
        assert_ne!(hash("Alice-1984"), hash("Alice-1985"));
        let other = replaced(&units("Alice-1984"), Shape::Classes(0), &RandomState::new());
        assert_ne!(hash("Alice-1984"), other);
        let text = String::from_utf16(&hash("Alice-1984")).unwrap();
        let mut characters = text.chars();
        assert!(characters.next().unwrap().is_ascii_uppercase());
        assert!(text.ends_with(|digit: char| digit.is_ascii_digit()));
        assert_eq!(text.find('-'), Some(5));
    }

    #[test]
    fn a_structure_keeps_everything_but_letters() {
        let text = made("ORD-2024/17;x", Shape::Structure(1));
        assert_eq!(text.get(3..12), Some("-2024/17;"));
        assert_ne!(text, "ORD-2024/17;x");
    }

    #[test]
    fn check_digits_can_be_made_right() {
        for (text, is_right) in [
            (
                "5500 0055 5555 5559",
                (|text| has_luhn_digit(text)) as fn(&[u8]) -> bool,
            ),
            ("GB00WEST12345698765432", |text| iban_bytes(text).is_some()),
        ] {
            let salt = RandomState::new();
            let units: Vec<u16> = text.encode_utf16().collect();
            for attempt in 1..20 {
                let made = replaced(&units, Shape::Checked(attempt), &salt);
                let made: Vec<u8> = made.iter().map(|unit| *unit as u8).collect();
                assert!(is_right(&made), "{}", String::from_utf8_lossy(&made));
            }
        }
    }
}
