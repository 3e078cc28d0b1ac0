//! The order of a frame's values: handlers put them in it, the runtime reads them off the stack in it, and the agent tells
//! them apart by it.
//!
//! References and primitives are put apart, each in this order. The layout of a frame that is read off the stack is a text:
//! the site, then kind and local variable of each value, `7 L0 I1 J2 L-1`.

use std::fmt::Write as _;

/// What a value is, in the order of the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The thread's journal, which is in no variable.
    Journal,
    Receiver,
    Parameter(usize),
    /// A field as it was on entry.
    Saved(usize),
    /// Where something that is read piece by piece was.
    Cursor(usize),
    /// What leads to fields farther away.
    Holder(usize),
    /// A field farther away.
    Far(usize),
    /// A copy of what the frame was given.
    Copy,
    /// The place in the journal.
    Mark,
    /// The number of the entry, in a second look.
    Entry,
}

/// How a frame keeps the state of objects on entry, besides fields.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Past {
    #[default]
    None,
    Copy,
    Journal,
}

/// How many values of each kind a frame has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Frame {
    pub past: Past,
    pub receiver: bool,
    pub parameters: usize,
    pub saved: usize,
    pub cursors: usize,
    pub holders: usize,
    pub far: usize,
    pub counted: bool,
}

impl Frame {
    pub fn parts(self) -> impl Iterator<Item = Part> {
        let one = |part: Part, there: bool| there.then_some(part);
        one(Part::Journal, self.past == Past::Journal)
            .into_iter()
            .chain(one(Part::Receiver, self.receiver))
            .chain((0..self.parameters).map(Part::Parameter))
            .chain((0..self.saved).map(Part::Saved))
            .chain((0..self.cursors).map(Part::Cursor))
            .chain((0..self.holders).map(Part::Holder))
            .chain((0..self.far).map(Part::Far))
            .chain(one(Part::Copy, self.past == Past::Copy))
            .chain(one(Part::Mark, self.past == Past::Journal))
            .chain(one(Part::Entry, self.counted))
    }
}

macro_rules! kinds {
    ($($(#[$about:meta])* $kind:ident, $java:literal = $letter:literal;)*) => {
        /// How a value is read off the stack.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Kind {
            $($(#[$about])* $kind,)*
        }

        impl Kind {
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// Names on the Java side, and letters.
            pub(crate) const NAMES: &[(&str, char)] = &[$(($java, $letter)),*];

            pub fn letter(self) -> char {
                match self {
                    $(Self::$kind => $letter,)*
                }
            }

            pub fn of_letter(letter: char) -> Option<Self> {
                match letter {
                    $($letter => Some(Self::$kind),)*
                    _ => None,
                }
            }
        }
    };
}

kinds! {
    Reference, "REFERENCE" = 'L';
    /// Of four bytes or less, floating point apart.
    Int, "INT" = 'I';
    Long, "LONG" = 'J';
    Float, "FLOAT" = 'F';
    Double, "DOUBLE" = 'D';
    Journal, "JOURNAL" = 'P';
}

impl Kind {
    pub fn of_descriptor(descriptor: &str) -> Self {
        match descriptor.as_bytes().first() {
            Some(b'J') => Self::Long,
            Some(b'D') => Self::Double,
            Some(b'F') => Self::Float,
            Some(b'L' | b'[') => Self::Reference,
            _ => Self::Int,
        }
    }
}

/// A value and the variable that holds it, if one does.
pub type Placed = (Kind, Option<u16>);

/// The layout of a frame as a text; -1 where a value is in no variable.
pub fn write(site: u32, values: impl IntoIterator<Item = Placed>) -> String {
    let mut text = site.to_string();
    for (kind, slot) in values {
        let slot = slot.map_or(-1, i32::from);
        let _ = write!(text, " {}{slot}", kind.letter());
    }
    text
}

/// Site and values; `None` for what is no layout.
pub fn read(text: &str) -> Option<(u32, Vec<Placed>)> {
    let mut words = text.split(' ');
    let site = words.next()?.parse().ok()?;
    let value = |word: &str| {
        let mut letters = word.chars();
        let kind = Kind::of_letter(letters.next()?)?;
        let slot: i32 = letters.as_str().parse().ok()?;
        if slot == -1 {
            return Some((kind, None));
        }
        Some((kind, Some(slot.try_into().ok()?)))
    };
    Some((site, words.map(value).collect::<Option<_>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_layout_is_read_as_it_was_written(
            site in any::<u32>(),
            values in prop::collection::vec((0..Kind::ALL.len(), prop::option::of(any::<u16>())), 0..9),
        ) {
            let values: Vec<_> = values.into_iter().map(|(kind, slot)| (Kind::ALL[kind], slot)).collect();
            prop_assert_eq!(read(&write(site, values.clone())), Some((site, values)));
        }
    }

    #[test]
    fn the_journal_comes_first_and_its_mark_behind_what_was_kept() {
        let frame = Frame {
            past: Past::Journal,
            receiver: true,
            parameters: 1,
            saved: 1,
            counted: true,
            ..Frame::default()
        };
        let parts: Vec<Part> = frame.parts().collect();
        assert_eq!(
            parts,
            [
                Part::Journal,
                Part::Receiver,
                Part::Parameter(0),
                Part::Saved(0),
                Part::Mark,
                Part::Entry
            ]
        );
    }
}
