//! What the numbers of the runtime's `$RecrashCursor` mean: which fields of the JDK's streams, readers and the like had
//! which values when a method was entered.

use recrash_heap::manifest::Patch;
use recrash_heap::{ObjectId, Value};

const BITS: u32 = 30;
const MASK: i64 = (1 << BITS) - 1;

/// By the number of the kind: the class, and the fields that have the two places.
const KINDS: [(&str, &str, Option<&str>); 10] = [
    ("", "", None),
    ("java.io.ByteArrayInputStream", "pos", None),
    ("java.io.StringReader", "next", None),
    ("java.io.CharArrayReader", "pos", None),
    ("java.util.ArrayList$Itr", "cursor", Some("lastRet")),
    ("java.util.Arrays$ArrayItr", "cursor", None),
    ("java.nio.Buffer", "position", Some("limit")),
    ("java.text.ParsePosition", "index", Some("errorIndex")),
    (
        "java.util.StringTokenizer",
        "currentPosition",
        Some("newPosition"),
    ),
    ("java.text.StringCharacterIterator", "pos", None),
];

/// Leads the object back to where it was; nothing for a number that says nothing.
pub fn patches(object: ObjectId, place: i64) -> Vec<Patch> {
    let kind = (place as u64 >> (2 * BITS)) as usize;
    let Some(&(class, first, second)) = KINDS.get(kind).filter(|_| kind > 0) else {
        return Vec::new();
    };
    let patch = |field: &str, place: i64| Patch {
        object,
        class: class.to_owned(),
        field: field.to_owned(),
        descriptor: "I".to_owned(),
        value: Value::Int((place & MASK) as i32 - 1),
    };
    let mut patches = vec![patch(first, place >> BITS)];
    patches.extend(second.map(|field| patch(field, place)));
    patches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_told_field_by_field() {
        let told = |place| -> Vec<(String, Value)> {
            let patches = patches(ObjectId(7), place).into_iter();
            patches.map(|patch| (patch.field, patch.value)).collect()
        };
        let iterator = (4 << BITS | 3) << BITS;
        assert_eq!(
            told(iterator),
            [
                ("cursor".to_owned(), Value::Int(2)),
                ("lastRet".to_owned(), Value::Int(-1))
            ]
        );
        assert_eq!(
            told((1 << BITS | 1) << BITS),
            [("pos".to_owned(), Value::Int(0))]
        );
    }

    #[test]
    fn what_is_no_cursor_is_left_alone() {
        for place in [0, 5, -1, 15 << (2 * BITS)] {
            assert_eq!(patches(ObjectId(7), place), []);
        }
    }
}
