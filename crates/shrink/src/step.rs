//! What can be made simpler in a snapshot, one step at a time.

use recrash_heap::{Edits, ObjectId, ObjectSet, Part, Slot, Value};
use std::collections::{BTreeMap, BTreeSet};

use crate::collections::Collections;

/// One simplification; it names objects and places by their numbers in the snapshot it was found in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    LeaveOut(Part),
    /// Null wherever it is referred to.
    Remove(ObjectId),
    Set(Slot, Value),
    /// A member of a collection goes.
    Member {
        collection: ObjectId,
        position: usize,
    },
    Text(ObjectId, Vec<u16>),
    Cut(ObjectId, u32),
    /// A boxed value becomes 0 or false.
    Zero(ObjectId),
}

impl Step {
    /// Whether what `frame`, which needs these objects, does can depend on it.
    pub(crate) fn touches(&self, frame: usize, needs: &ObjectSet) -> bool {
        match self {
            Step::LeaveOut(Part::Patch { frame: of, .. })
            | Step::Set(Slot::Patch { frame: of, .. }, _) => *of <= frame,
            Step::Set(Slot::Receiver { frame: of } | Slot::Argument { frame: of, .. }, _) => {
                *of == frame
            }
            Step::LeaveOut(_) | Step::Set(Slot::Static(_) | Slot::ThreadLocal(_), _) => true,
            Step::Remove(id)
            | Step::Set(Slot::Field { object: id, .. } | Slot::Element { array: id, .. }, _)
            | Step::Member { collection: id, .. }
            | Step::Text(id, _)
            | Step::Cut(id, _)
            | Step::Zero(id) => needs.contains(*id),
        }
    }
}

/// All these steps at once.
pub(crate) fn edits(steps: &[Step], collections: &Collections) -> Edits {
    let mut edits = Edits::new();
    let mut members: BTreeMap<ObjectId, BTreeSet<usize>> = BTreeMap::new();
    for step in steps {
        match step {
            Step::LeaveOut(part) => edits.leave_out(*part),
            Step::Remove(id) => edits.remove(*id),
            Step::Set(slot, value) => edits.set(*slot, *value),
            Step::Member {
                collection,
                position,
            } => {
                members.entry(*collection).or_default().insert(*position);
            }
            Step::Text(id, units) => edits.replace_text(*id, units.clone()),
            Step::Cut(id, length) => edits.cut(*id, *length),
            Step::Zero(id) => edits.replace_boxed(*id, 0),
        }
    }
    for (id, gone) in members {
        if let Some(collection) = collections.get(id) {
            collection.without(&gone, &mut edits);
        }
    }
    edits
}
