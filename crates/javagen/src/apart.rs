//! Which objects nothing else refers to: those a test may make although it loads others.

use recrash_heap::manifest::{CapturedFrame, Manifest, ObjectId, Value};
use recrash_heap::{Heap, Kind};
use std::collections::BTreeSet;

/// Objects that are followed before the answer is "somebody may refer to it".
const MOST_FOLLOWED: usize = 5_000;

/// Whether no other value of the frame, static field or thread local reaches an object that `value` reaches. Strings, boxes,
/// enum constants and classes do not count: nobody tells one from another.
pub(crate) fn is_apart(
    heap: &Heap,
    manifest: &Manifest,
    frame: &CapturedFrame,
    value: Value,
) -> bool {
    let Some(own) = reached(heap, std::iter::once(value)) else {
        return false;
    };
    let mut skipped = false;
    let arguments = frame.arguments.iter().map(|argument| argument.value);
    let in_frame = std::iter::once(frame.receiver)
        .chain(arguments)
        .filter(|other| {
            let first = !skipped && *other == value;
            skipped |= first;
            !first
        });
    let patched = frame.patches.iter().map(|patch| patch.value);
    let statics = manifest.statics.iter().map(|field| field.value);
    let locals = manifest.thread_locals.iter().map(|entry| entry.value);
    let others = in_frame.chain(patched).chain(statics).chain(locals);
    reached(heap, others).is_some_and(|others| own.is_disjoint(&others))
}

fn reached(heap: &Heap, roots: impl Iterator<Item = Value>) -> Option<BTreeSet<ObjectId>> {
    let mut found = BTreeSet::new();
    let mut waiting: Vec<ObjectId> = Vec::new();
    let target = |value| match value {
        Value::Ref(id) => Some(id),
        _ => None,
    };
    waiting.extend(roots.filter_map(target));
    while let Some(id) = waiting.pop() {
        let has_identity = heap.object(id).is_some_and(|object| {
            matches!(
                object.kind,
                Kind::Instance { .. }
                    | Kind::Array { .. }
                    | Kind::Lambda { .. }
                    | Kind::Proxy { .. }
            )
        });
        if !has_identity || !found.insert(id) {
            continue;
        }
        if found.len() > MOST_FOLLOWED {
            return None;
        }
        heap.each_reference(id, |next| waiting.push(ObjectId(next)));
    }
    Some(found)
}
