//! Each redaction leaves a remark.

use crate::rules::Rule;
use recrash_heap::ObjectId;
use recrash_heap::manifest::{Redaction, RedactionKind};

/// A manifest lists so many; more are counted.
const MOST: usize = 10_000;

#[derive(Debug, Default)]
pub(crate) struct Remarks {
    pub(crate) list: Vec<Redaction>,
    pub(crate) unlisted: u64,
}

impl Remarks {
    pub(crate) fn add(&mut self, object: u32, place: String, rule: &Rule, kind: RedactionKind) {
        if self.list.len() >= MOST {
            self.unlisted += 1;
            return;
        }
        self.list.push(Redaction {
            object: ObjectId(object),
            place,
            rule: rule.text.clone(),
            kind,
        });
    }
}
