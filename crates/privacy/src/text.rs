//! Characters in the forms in which a heap part has them.

use recrash_heap::Form;
use std::borrow::Cow;

/// Whether contents of this form can be text: strings, arrays of characters or bytes, what tells stand-ins apart.
pub(crate) fn is_text(form: Form) -> bool {
    !matches!(form, Form::Fields | Form::References) && !is_other_primitive(form)
}

fn is_other_primitive(form: Form) -> bool {
    matches!(form, Form::Primitives(kind) if kind != b'C' && kind != b'B')
}

fn is_wide(form: Form) -> bool {
    matches!(form, Form::Utf16 | Form::Primitives(b'C'))
}

/// Bytes that one unit takes.
pub(crate) fn width(form: Form) -> usize {
    if is_wide(form) { 2 } else { 1 }
}

pub(crate) fn units(form: Form, bytes: &[u8]) -> Vec<u16> {
    if is_wide(form) {
        wide(bytes).collect()
    } else {
        bytes.iter().copied().map(u16::from).collect()
    }
}

fn wide(bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes.chunks_exact(2).map(|pair| match pair {
        [low, high] => u16::from_le_bytes([*low, *high]),
        _ => 0,
    })
}

/// One byte per unit, for patterns: what Latin-1 does not have is none of their characters.
pub(crate) fn narrow(form: Form, bytes: &[u8]) -> Cow<'_, [u8]> {
    if is_wide(form) {
        let narrow = wide(bytes).map(|unit| u8::try_from(unit).unwrap_or(0xff));
        Cow::Owned(narrow.collect())
    } else {
        Cow::Borrowed(bytes)
    }
}

pub(crate) fn bytes(form: Form, units: &[u16]) -> Vec<u8> {
    if is_wide(form) {
        units.iter().flat_map(|unit| unit.to_le_bytes()).collect()
    } else {
        let narrow = units.iter().map(|unit| u8::try_from(*unit).unwrap_or(b'*'));
        narrow.collect()
    }
}

/// As `String.hashCode` computes it.
pub(crate) fn hash_code(units: &[u16]) -> i32 {
    units.iter().fold(0_i32, |hash, unit| {
        hash.wrapping_mul(31).wrapping_add(i32::from(*unit))
    })
}

/// What bytes mean as text if they are not Latin-1: UTF-8, or UTF-16 as string builders have it.
pub(crate) fn other_readings(bytes: &[u16]) -> Vec<Vec<u16>> {
    let narrow: Vec<u8> = bytes.iter().map(|unit| *unit as u8).collect();
    let mut readings = Vec::new();
    if !narrow.is_ascii()
        && let Ok(text) = std::str::from_utf8(&narrow)
    {
        readings.push(text.encode_utf16().collect());
    }
    // Letters of most scripts have a small upper half, which no text of bytes has.
    let upper = narrow.iter().skip(1).step_by(2);
    if narrow.len() >= 3 && upper.clone().all(|half| *half < 0x20) {
        let whole = narrow.len().div_ceil(2) * 2;
        let padded: Vec<u8> = narrow.iter().copied().chain([0]).take(whole).collect();
        readings.push(wide(&padded).collect());
    }
    readings
}
