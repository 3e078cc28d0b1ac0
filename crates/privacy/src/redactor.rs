//! The passes over a snapshot, in their order.
//!
//! 1. names, types, packages and annotations (`descent.rs`), in the heap and in the manifest
//! 2. value patterns in every text that is left
//! 3. copies of what the first two found, in every text and among large numbers
//! 4. what dropped values led to is cut, and hash tables are put in order

use crate::copies::{Needles, Search};
use crate::descent::Work;
use crate::error::Error;
use crate::manifest_text;
use crate::notes::ProgramNotes;
use crate::replacement::Shape;
use crate::rules::Rules;
use crate::treatment::Treatment;
use recrash_heap::manifest::Privacy;
use recrash_heap::{Heap, Manifest, Snapshot};

/// Applies rules to snapshots. Equal values have equal replacements wherever the same redactor meets them.
pub struct Redactor {
    treatment: Treatment,
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
            treatment: Treatment::new(rules),
            settings: Vec::new(),
        }
    }

    /// What stands in a redacted snapshot may stand in those that are made from it.
    pub fn know(&mut self, snapshot: &Snapshot) {
        self.treatment.know(snapshot);
    }

    /// A setting of the process, such as an environment variable: if its name is sensitive, its value is looked for.
    pub fn setting(&mut self, name: String, value: String) {
        self.settings.push((name, value));
    }

    /// From now on this value is replaced in this way.
    pub fn replace(&mut self, secret: &Secret, shape: Shape) {
        self.treatment.shape_as(secret.text.clone(), shape);
    }

    /// From now on every value is replaced as its rule says.
    pub fn replace_as_ruled(&mut self) {
        self.treatment.shape_as_ruled();
    }

    pub fn rules(&self) -> &Rules {
        &self.treatment.rules
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
        let mut work = Work::new(&self.treatment, heap, program);
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
        for rule in self.treatment.rules.own() {
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
            rule: self.treatment.rule_text(needle.rule),
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
        let (units, _) = self.treatment.without_patterns(&units);
        String::from_utf16_lossy(&units)
    }
}
