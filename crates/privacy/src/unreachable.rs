//! What only a dropped value led to is taken out as well.

use recrash_heap::{Error, Heap, Manifest, ObjectId, Value};

/// The heap without the contents of objects that nothing in the manifest leads to any more.
pub(crate) fn without_unreachable(manifest: &Manifest, heap: &Heap) -> Result<Heap, Error> {
    let mut seen = vec![false; heap.len() as usize + 1];
    let mut waiting = Vec::new();
    let mut reach = |id: u32, waiting: &mut Vec<u32>| {
        if let Some(seen) = seen.get_mut(id as usize)
            && id != 0
            && !*seen
        {
            *seen = true;
            waiting.push(id);
        }
    };
    for value in roots(manifest) {
        if let Value::Ref(ObjectId(id)) = value {
            reach(id, &mut waiting);
        }
    }
    while let Some(id) = waiting.pop() {
        heap.each_reference(ObjectId(id), |target| reach(target, &mut waiting));
    }
    heap.cut(|id| seen.get(id.0 as usize).copied().unwrap_or(true))
}

fn roots(manifest: &Manifest) -> impl Iterator<Item = Value> {
    let thrown = manifest.throwables.iter();
    let frames = manifest.frames.iter().filter_map(|f| f.captured.as_ref());
    let frames = frames.flat_map(|frame| {
        let arguments = frame.arguments.iter().map(|argument| argument.value);
        let patches = frame
            .patches
            .iter()
            .flat_map(|patch| [Value::Ref(patch.object), patch.value]);
        std::iter::once(frame.receiver)
            .chain(arguments)
            .chain(patches)
    });
    let locals = manifest.thread_locals.iter();
    thrown
        .map(|thrown| Value::Ref(thrown.object))
        .chain(frames)
        .chain(manifest.statics.iter().map(|field| field.value))
        .chain(locals.flat_map(|local| [Value::Ref(local.key), local.value]))
}
