//! The passes over a snapshot, in their order.
//!
//! 1. names, types, packages and annotations (`descent.rs`), in the heap and in the manifest
//! 2. value patterns in every text that is left
//! 3. copies of what the first two found, in every text and among large numbers
//! 4. what dropped values led to is cut, and hash tables are put in order

use crate::copies::{Needle, Needles, Search};
use crate::credential::is_placeholder;
use crate::descent::Work;
use crate::error::Error;
use crate::manifest_text;
use crate::notes::ProgramNotes;
use crate::patterns::Patterns;
use crate::replacement::{Shape, replaced};
use crate::rules::{Action, Rule, RuleIndex, Rules};
use crate::text;
use recrash_heap::manifest::{Privacy, RedactionKind};
use recrash_heap::{Form, Heap, Kind, Manifest, ObjectId, Snapshot};
use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};

/// Applies rules to snapshots. Equal values have equal replacements wherever the same redactor meets them.
pub struct Redactor {
    pub(crate) rules: Rules,
    pub(crate) patterns: Patterns,
    pub(crate) salt: RandomState,
    /// Texts that may be seen: they stand in the snapshot that this one was made from.
    known: HashSet<Vec<u16>>,
    /// How certain values are replaced, instead of as their rules say.
    shapes: HashMap<Vec<u16>, Shape>,
    /// Names and values from around the program.
    settings: Vec<(String, String)>,
}

/// A value that was redacted. It exists in memory only.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    text: Vec<u16>,
    /// As in a rules file.
    pub rule: String,
}

/// What was found.
pub struct Outcome {
    /// Each value once, in the order in which they were found.
    pub secrets: Vec<Secret>,
    /// How many places changed.
    pub redactions: u64,
    needles: Needles,
}

impl Outcome {
    /// A line of a log or a table without the values that were found here.
    pub fn without_secrets(&self, line: &str) -> String {
        Search::of(&self.needles)
            .without(line)
            .map_or_else(|| line.to_owned(), |(line, _)| line)
    }
}

impl Redactor {
    pub fn new(rules: Rules) -> Self {
        Self {
            patterns: Patterns::of(&rules),
            rules,
            salt: RandomState::new(),
            known: HashSet::new(),
            shapes: HashMap::new(),
            settings: Vec::new(),
        }
    }

    /// What stands in a redacted snapshot may stand in those that are made from it.
    pub fn know(&mut self, snapshot: &Snapshot) {
        for object in snapshot.heap.objects() {
            match object.kind {
                Kind::String(text) => {
                    self.known.insert(text.units().collect());
                }
                Kind::Array { component, .. } if component == "C" || component == "B" => {
                    if let Some(contents) = snapshot.heap.contents(object.id) {
                        let bytes = snapshot.heap.bytes_of(&contents);
                        self.known.insert(text::units(contents.form, bytes));
                    }
                }
                _ => {}
            }
        }
        // Parts of texts that were put there.
        let privacy = snapshot.manifest.privacy.iter();
        for redaction in privacy.flat_map(|privacy| &privacy.redactions) {
            let range = redaction.place.strip_prefix('[').and_then(|range| {
                let (from, to) = range.strip_suffix(']')?.split_once("..")?;
                Some(from.parse::<usize>().ok()?..to.parse::<usize>().ok()?)
            });
            if let (Some(range), Some(contents)) = (range, snapshot.heap.contents(redaction.object))
            {
                let units = text::units(contents.form, snapshot.heap.bytes_of(&contents));
                self.known.extend(units.get(range).map(<[u16]>::to_vec));
            }
        }
    }

    /// A setting of the process, such as an environment variable: if its name is sensitive, its value is looked for.
    pub fn setting(&mut self, name: String, value: String) {
        self.settings.push((name, value));
    }

    /// From now on this value is replaced in this way.
    pub fn replace(&mut self, secret: &Secret, shape: Shape) {
        self.shapes.insert(secret.text.clone(), shape);
    }

    /// From now on every value is replaced as its rule says.
    pub fn replace_as_ruled(&mut self) {
        self.shapes.clear();
    }

    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Redacts a snapshot. On an error nothing of it may be used.
    pub fn redact(
        &self,
        manifest: &mut Manifest,
        heap: &mut Heap,
        program: &ProgramNotes,
    ) -> Result<Outcome, Error> {
        self.redact_after(None, manifest, heap, program)
    }

    /// The same for a snapshot that goes with another one: what was found there is searched for here, too.
    pub fn redact_after(
        &self,
        earlier: Option<&Outcome>,
        manifest: &mut Manifest,
        heap: &mut Heap,
        program: &ProgramNotes,
    ) -> Result<Outcome, Error> {
        let mut work = Work::new(self, heap, program);
        let known = earlier.iter().flat_map(|earlier| &earlier.needles.list);
        work.needles.extend(known.cloned());
        for (name, value) in &self.settings {
            work.setting(name, value);
        }
        work.names();
        work.manifest_values(manifest, program);
        manifest_text::names_and_patterns(&mut work, manifest);
        work.patterns();
        work.copies(manifest);
        work.drops(manifest);
        let Work {
            remarks,
            needles,
            changed,
            dropped,
            searched_in_part,
            ..
        } = work;
        if dropped {
            *heap = crate::unreachable::without_unreachable(manifest, heap)?;
        }
        crate::hash_tables::rebuild(heap, &changed);
        if searched_in_part {
            manifest.limits.push(
                "more values were redacted than can be searched for inside other texts".to_owned(),
            );
        }
        let mut before = manifest.privacy.take().unwrap_or_default();
        let redactions = remarks.list.len() as u64 + remarks.unlisted;
        before.redactions.extend(remarks.list);
        let mut rules = before.rules;
        for rule in self.rules.own() {
            if !rules.contains(rule) {
                rules.push(rule.clone());
            }
        }
        manifest.privacy = Some(Privacy {
            rules,
            redactions: before.redactions,
            unlisted: before.unlisted + remarks.unlisted,
        });
        let secrets = needles.list.iter().map(|needle| Secret {
            text: needle.original.clone(),
            rule: self.rule_text(needle.rule),
        });
        Ok(Outcome {
            secrets: secrets.collect(),
            redactions,
            needles,
        })
    }

    /// A text that stands for itself, such as a line of a log: values that look sensitive are replaced.
    pub fn text(&self, text: &str) -> String {
        let units: Vec<u16> = text.encode_utf16().collect();
        let (units, _) = self.without_patterns(&units);
        String::from_utf16_lossy(&units)
    }

    /// The text without what patterns find, and what was found.
    pub(crate) fn without_patterns(&self, units: &[u16]) -> (Vec<u16>, Vec<(Needle, usize)>) {
        let bytes = text::bytes(Form::Utf16, units);
        let narrow = text::narrow(Form::Utf16, &bytes);
        let mut out = units.to_vec();
        let mut needles = Vec::new();
        for found in self.patterns.find(&narrow) {
            let Some(original) = units.get(found.range.clone()) else {
                continue;
            };
            let Some(needle) = self.needle_by_value(original, found.rule) else {
                continue;
            };
            if let Some(place) = out.get_mut(found.range.clone()) {
                place.copy_from_slice(&needle.replacement);
            }
            needles.push((needle, found.range.start));
        }
        (out, needles)
    }

    pub(crate) fn rule(&self, index: RuleIndex) -> Option<&Rule> {
        self.rules.get(index)
    }

    fn rule_text(&self, index: RuleIndex) -> String {
        self.rule(index)
            .map_or_else(String::new, |rule| rule.text.clone())
    }

    /// How a value is replaced: `None` where it is taken out.
    pub(crate) fn shape(
        &self,
        original: &[u16],
        rule: RuleIndex,
    ) -> (Option<Shape>, RedactionKind) {
        if let Some(shape) = self.shapes.get(original) {
            return (Some(*shape), RedactionKind::Equivalent);
        }
        match self.rule(rule).map(|rule| rule.action) {
            Some(Action::Redact(RedactionKind::Drop)) => (None, RedactionKind::Drop),
            Some(Action::Redact(RedactionKind::Hash)) => {
                (Some(Shape::Classes(0)), RedactionKind::Hash)
            }
            _ => (Some(Shape::Mask), RedactionKind::Mask),
        }
    }

    /// What becomes of a text; `None` where it may be seen.
    pub(crate) fn needle(&self, original: &[u16], rule: RuleIndex) -> Option<Needle> {
        if self.known.contains(original) || is_placeholder(&String::from_utf16_lossy(original)) {
            return None;
        }
        let (shape, kind) = self.shape(original, rule);
        Some(Needle {
            original: original.to_vec(),
            replacement: replaced(original, shape.unwrap_or(Shape::Mask), &self.salt),
            rule,
            kind,
            by_value: false,
        })
    }

    /// The same for what was found by what it looks like.
    pub(crate) fn needle_by_value(&self, original: &[u16], rule: RuleIndex) -> Option<Needle> {
        let needle = self.needle(original, rule)?;
        Some(Needle {
            by_value: true,
            ..needle
        })
    }
}

/// The object of a reference.
pub(crate) fn id_of(value: recrash_heap::Value) -> Option<u32> {
    match value {
        recrash_heap::Value::Ref(ObjectId(id)) => Some(id),
        _ => None,
    }
}
