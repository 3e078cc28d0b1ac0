//! Other places where something stands that was redacted: the text of a secret is a secret wherever it is.

use crate::rules::RuleIndex;
use aho_corasick::{AhoCorasick, MatchKind};
use recrash_heap::Form;
use recrash_heap::manifest::RedactionKind;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

/// Shorter texts are no evidence: `yes` and `123` are everywhere.
const SHORTEST: usize = 4;

/// From here on, what is found inside of a word counts, too.
const TELLING: usize = 8;

/// Searched for inside other texts; beyond that only whole texts are compared. Values that were found by what they look like
/// come last: they are found that way in most places.
const MOST: usize = 5_000;

/// A text that was redacted, with what stands for it now.
#[derive(Debug, Clone)]
pub(crate) struct Needle {
    pub(crate) original: Vec<u16>,
    pub(crate) replacement: Vec<u16>,
    pub(crate) rule: RuleIndex,
    pub(crate) kind: RedactionKind,
    /// Found by what it looks like.
    pub(crate) by_value: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Needles {
    pub(crate) list: Vec<Needle>,
    known: HashMap<Vec<u16>, usize>,
}

impl Needles {
    pub(crate) fn add(&mut self, needle: Needle) {
        if needle.original != needle.replacement && !self.known.contains_key(&needle.original) {
            self.known.insert(needle.original.clone(), self.list.len());
            self.list.push(needle);
        }
    }

    pub(crate) fn extend(&mut self, needles: impl IntoIterator<Item = Needle>) {
        needles.into_iter().for_each(|needle| self.add(needle));
    }

    pub(crate) fn get(&self, text: &[u16]) -> Option<&Needle> {
        self.list.get(*self.known.get(text)?)
    }
}

/// Where needles are found, by the form of what is searched.
pub(crate) struct Search<'a> {
    needles: &'a Needles,
    // Made when there is something to be searched.
    latin1: OnceCell<Automaton>,
    utf16: OnceCell<Automaton>,
    utf8: OnceCell<Automaton>,
    bytes: OnceCell<Automaton>,
}

struct Automaton {
    engine: Option<AhoCorasick>,
    /// By the number of the pattern: the needle, and how it is written.
    patterns: Vec<(usize, Encoding)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Latin1,
    Utf8,
    Utf16Le,
    Utf16Be,
}

/// A needle in a text.
pub(crate) struct Hit<'a> {
    pub(crate) needle: &'a Needle,
    /// In bytes.
    pub(crate) range: Range<usize>,
    pub(crate) encoding: Encoding,
}

impl Encoding {
    fn encode(self, units: &[u16]) -> Option<Vec<u8>> {
        match self {
            Self::Latin1 => units.iter().map(|unit| u8::try_from(*unit).ok()).collect(),
            Self::Utf8 => Some(String::from_utf16(units).ok()?.into_bytes()),
            Self::Utf16Le => Some(units.iter().flat_map(|unit| unit.to_le_bytes()).collect()),
            Self::Utf16Be => Some(units.iter().flat_map(|unit| unit.to_be_bytes()).collect()),
        }
    }

    /// What to write over `bytes` bytes of the needle.
    pub(crate) fn replacement(self, needle: &Needle, bytes: usize) -> Vec<u8> {
        self.encode(&needle.replacement)
            .filter(|encoded| encoded.len() == bytes)
            .unwrap_or_else(|| vec![b'*'; bytes])
    }

    fn width(self) -> usize {
        match self {
            Self::Latin1 | Self::Utf8 => 1,
            Self::Utf16Le | Self::Utf16Be => 2,
        }
    }
}

impl Automaton {
    fn of(needles: &Needles, encodings: &[Encoding]) -> Self {
        let mut patterns = Vec::new();
        let mut texts: Vec<Vec<u8>> = Vec::new();
        let long = needles.list.iter().enumerate();
        let mut long: Vec<(usize, &Needle)> = long
            .filter(|(_, needle)| needle.original.len() >= SHORTEST)
            .collect();
        long.sort_by_key(|(_, needle)| needle.by_value);
        for (index, needle) in long.into_iter().take(MOST) {
            for encoding in encodings {
                if let Some(text) = encoding.encode(&needle.original)
                    && !(*encoding == Encoding::Utf8 && text.is_ascii() && encodings.len() > 1)
                {
                    patterns.push((index, *encoding));
                    texts.push(text);
                }
            }
        }
        let engine = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(&texts);
        Self {
            engine: engine.ok().filter(|_| !texts.is_empty()),
            patterns,
        }
    }

    fn find<'a>(&self, needles: &'a Needles, text: &[u8]) -> Vec<Hit<'a>> {
        let Some(engine) = &self.engine else {
            return Vec::new();
        };
        engine
            .find_iter(text)
            .filter_map(|found| {
                let (needle, encoding) = *self.patterns.get(found.pattern().as_usize())?;
                let needle = needles.list.get(needle)?;
                let range = found.range();
                let counts = needle.original.len() >= TELLING
                    || stands_alone(text, &range, encoding.width());
                counts.then_some(Hit {
                    needle,
                    range,
                    encoding,
                })
            })
            .collect()
    }
}

/// Whether what is around is no part of the same word.
fn stands_alone(text: &[u8], range: &Range<usize>, width: usize) -> bool {
    let is_word = |at: Option<usize>| {
        let unit = at.and_then(|at| text.get(at..at + width)).unwrap_or(b"");
        unit.iter().any(u8::is_ascii_alphanumeric)
    };
    !is_word(range.start.checked_sub(width)) && !is_word(Some(range.end))
}

impl<'a> Search<'a> {
    pub(crate) fn of(needles: &'a Needles) -> Self {
        Self {
            needles,
            latin1: OnceCell::new(),
            utf16: OnceCell::new(),
            utf8: OnceCell::new(),
            bytes: OnceCell::new(),
        }
    }

    fn automaton(&self, form: Form) -> Option<&Automaton> {
        use Encoding::{Latin1, Utf8, Utf16Be, Utf16Le};
        let (place, encodings): (_, &[Encoding]) = match form {
            Form::Latin1 => (&self.latin1, &[Latin1]),
            Form::Utf16 | Form::Primitives(b'C') => (&self.utf16, &[Utf16Le]),
            Form::Primitives(b'B') => (&self.bytes, &[Latin1, Utf8, Utf16Le, Utf16Be]),
            Form::StandIn => (&self.utf8, &[Utf8]),
            Form::Fields | Form::References | Form::Primitives(_) => return None,
        };
        Some(place.get_or_init(|| Automaton::of(self.needles, encodings)))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.needles.list.is_empty()
    }

    pub(crate) fn find(&self, form: Form, text: &[u8]) -> Vec<Hit<'a>> {
        let Some(automaton) = self.automaton(form) else {
            return Vec::new();
        };
        let mut hits = automaton.find(self.needles, text);
        if crate::text::width(form) == 2 {
            hits.retain(|hit| hit.range.start % 2 == 0);
        }
        hits
    }

    /// Whether there are more needles than can be searched for, of those that are not found by what they look like.
    pub(crate) fn is_partial(&self) -> bool {
        let by_rule = self.needles.list.iter();
        by_rule.filter(|needle| !needle.by_value).count() > MOST
    }

    /// The needle that a text is as a whole, where there are too many to be searched for.
    pub(crate) fn whole(&self, form: Form, text: &[u8]) -> Option<&'a Needle> {
        if self.needles.list.len() <= MOST {
            return None;
        }
        let units = crate::text::units(form, text);
        self.needles
            .get(&units)
            .filter(|needle| needle.original.len() >= SHORTEST)
    }

    /// A text of the manifest, or of a log, without what was redacted.
    pub(crate) fn without(&self, text: &str) -> Option<(String, Vec<&'a Needle>)> {
        let hits = self.find(Form::StandIn, text.as_bytes());
        if hits.is_empty() {
            return None;
        }
        let mut out = String::new();
        let mut from = 0;
        for hit in &hits {
            out.push_str(text.get(from..hit.range.start).unwrap_or_default());
            out.push_str(&String::from_utf16_lossy(&hit.needle.replacement));
            from = hit.range.end;
        }
        out.push_str(text.get(from..).unwrap_or_default());
        Some((out, hits.into_iter().map(|hit| hit.needle).collect()))
    }
}
