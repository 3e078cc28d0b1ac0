//! What a frame would need and the snapshot left out.

use std::collections::BTreeMap;

use recrash_heap::{Kind, ObjectId, PlanOptions, Snapshot, needed};

/// The types of what is cut among the objects that a frame reaches, in words; `None` where it reaches all it needs.
pub(crate) fn cut_of(snapshot: &Snapshot, frame: usize, options: PlanOptions) -> Option<String> {
    let reached = needed(snapshot, frame, options).ok()?;
    let heap = &snapshot.heap;
    let mut types: BTreeMap<&str, u32> = BTreeMap::new();
    for id in (1..=heap.len()).map(ObjectId) {
        if let Some(object) = heap.object(id).filter(|_| reached.contains(id))
            && matches!(object.kind, Kind::Cut)
        {
            *types.entry(simple(object.class)).or_default() += 1;
        }
    }
    let mut names = types.keys();
    let first = names.next()?;
    Some(match names.len() {
        0 => format!("what it reaches is cut at {first}"),
        1 => format!("what it reaches is cut at {first} and one other type"),
        others => format!("what it reaches is cut at {first} and {others} other types"),
    })
}

fn simple(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}
