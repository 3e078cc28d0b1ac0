//! What becomes of a value: whether it may be seen, and what stands in its place.

use crate::copies::Needle;
use crate::credential::is_placeholder;
use crate::patterns::Patterns;
use crate::replacement::{Shape, replaced};
use crate::rules::{Action, Rule, RuleIndex, Rules};
use crate::text;
use recrash_heap::manifest::RedactionKind;
use recrash_heap::{Form, Kind, Snapshot};
use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};

/// Rules with what was decided beside them. Equal values have equal replacements.
pub(crate) struct Treatment {
    pub(crate) rules: Rules,
    pub(crate) patterns: Patterns,
    pub(crate) salt: RandomState,
    /// Texts that may be seen: they stand in the snapshot that this one was made from.
    known: HashSet<Vec<u16>>,
    /// How certain values are replaced, instead of as their rules say.
    shapes: HashMap<Vec<u16>, Shape>,
}

impl Treatment {
    pub(crate) fn new(rules: Rules) -> Self {
        Self {
            patterns: Patterns::of(&rules),
            rules,
            salt: RandomState::new(),
            known: HashSet::new(),
            shapes: HashMap::new(),
        }
    }

    /// What stands in a redacted snapshot may stand in those that are made from it.
    pub(crate) fn know(&mut self, snapshot: &Snapshot) {
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

    /// From now on this text is replaced in this way.
    pub(crate) fn shape_as(&mut self, text: Vec<u16>, shape: Shape) {
        self.shapes.insert(text, shape);
    }

    /// From now on every text is replaced as its rule says.
    pub(crate) fn shape_as_ruled(&mut self) {
        self.shapes.clear();
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

    pub(crate) fn rule_text(&self, index: RuleIndex) -> String {
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
