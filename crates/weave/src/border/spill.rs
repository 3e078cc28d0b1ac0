//! The variables that what is on the stack is kept in while it is told of: so many of each kind as one instruction needs.

use recrash_classfile::{Error, Kind};

use crate::plan::entry::OnEntry;

#[derive(Debug, Default)]
pub(super) struct Spilled {
    locals: Vec<(Kind, u16)>,
}

impl Spilled {
    /// Sees to it that there are enough for values of these kinds together. They begin as zero.
    pub(super) fn reserve(&mut self, kinds: &[Kind], entry: &mut OnEntry) -> Result<(), Error> {
        let mut wanted = kinds.to_vec();
        for (known, _) in &self.locals {
            if let Some(at) = wanted.iter().position(|kind| kind == known) {
                wanted.swap_remove(at);
            }
        }
        for kind in wanted {
            let local = entry.new_local(kind)?;
            entry.code.zero(kind);
            entry.code.store(kind, local);
            self.locals.push((kind, local));
        }
        Ok(())
    }

    /// The variables for values of these kinds, one after the other.
    pub(super) fn of(&self, kinds: impl Iterator<Item = Kind>) -> Vec<u16> {
        let mut taken = vec![false; self.locals.len()];
        let mut found = Vec::new();
        for kind in kinds {
            let free = self.locals.iter().zip(&mut taken);
            for (&(known, local), taken) in free {
                if known == kind && !*taken {
                    *taken = true;
                    found.push(local);
                    break;
                }
            }
        }
        found
    }
}
