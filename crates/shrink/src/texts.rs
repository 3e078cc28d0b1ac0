//! Strings in pieces, which go or become plainer.

use recrash_heap::ObjectId;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::step::Step;

/// A text is shortened and made plainer in so many pieces at a time.
const PIECES: usize = 16;

/// Some of a string's characters, by their positions, and the whole text.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    string: ObjectId,
    text: Rc<[u16]>,
    positions: Vec<usize>,
}

/// The wanted characters of each string, in pieces.
pub(crate) fn pieces(texts: &[(ObjectId, Vec<u16>)], wanted: impl Fn(u16) -> bool) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (string, text) in texts {
        let whole: Rc<[u16]> = text.as_slice().into();
        let units = text.iter().enumerate();
        let positions: Vec<usize> = units
            .filter(|(_, unit)| wanted(**unit))
            .map(|(position, _)| position)
            .collect();
        let size = positions.len().div_ceil(PIECES).max(1);
        pieces.extend(positions.chunks(size).map(|positions| Piece {
            string: *string,
            text: whole.clone(),
            positions: positions.to_vec(),
        }));
    }
    pieces
}

/// One step per string, of all its pieces.
pub(crate) fn texts(pieces: &[Piece], change: impl Fn(&[u16], &[usize]) -> Vec<u16>) -> Vec<Step> {
    let mut strings: BTreeMap<ObjectId, (&[u16], Vec<usize>)> = BTreeMap::new();
    for piece in pieces {
        let entry = strings.entry(piece.string);
        let (_, positions) = entry.or_insert_with(|| (&piece.text, Vec::new()));
        positions.extend(&piece.positions);
    }
    strings
        .into_iter()
        .map(|(string, (text, mut positions))| {
            positions.sort_unstable();
            Step::Text(string, change(text, &positions))
        })
        .collect()
}

pub(crate) fn shorter(text: &[u16], gone: &[usize]) -> Vec<u16> {
    let units = text.iter().enumerate();
    units
        .filter(|(position, _)| gone.binary_search(position).is_err())
        .map(|(_, unit)| *unit)
        .collect()
}

pub(crate) fn with_plainer(text: &[u16], which: &[usize]) -> Vec<u16> {
    let units = text.iter().enumerate();
    units
        .map(|(position, unit)| match which.binary_search(&position) {
            Ok(_) => plainer(*unit),
            Err(_) => *unit,
        })
        .collect()
}

/// The simplest character of the same kind.
pub(crate) fn plainer(unit: u16) -> u16 {
    let letter = match char::from_u32(unit.into()) {
        Some(c) if c.is_numeric() => '0',
        Some(c) if c.is_uppercase() => 'A',
        Some(c) if c.is_alphabetic() => 'a',
        _ => return unit,
    };
    letter as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_one_string_are_changed_together() {
        let text: Vec<u16> = "Order 27".encode_utf16().collect();
        let found = pieces(&[(ObjectId(3), text.clone())], |_| true);
        assert_eq!(found.len(), 8);
        let gone = [found[0].clone(), found[6].clone()];
        let expected: Vec<u16> = "rder 7".encode_utf16().collect();
        assert_eq!(texts(&gone, shorter), [Step::Text(ObjectId(3), expected)]);
        let plain = pieces(&[(ObjectId(3), text)], |unit| plainer(unit) != unit);
        let expected: Vec<u16> = "Aaaaa 00".encode_utf16().collect();
        assert_eq!(
            texts(&plain, with_plainer),
            [Step::Text(ObjectId(3), expected)]
        );
    }
}
