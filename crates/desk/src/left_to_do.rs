//! Lists without what was done before: a frame that goes through one element after the other has changed the world with the
//! first ones when a later one fails, and no patch leads back so far. What is left to do fails in the world as it is.

use recrash_heap::manifest::{CapturedFrame, FrameInfo, ObjectId, Patch, Value};
use recrash_heap::{Field, Heap, Kind, Snapshot};
use std::collections::BTreeSet;

const LIST: &str = "java.util.ArrayList";

/// A list that a frame was given, from the element on that a frame inside it was working at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rest {
    /// To be laid over what the frame saw on entry.
    pub(crate) patches: Vec<Patch>,
    /// Elements that were done.
    pub(crate) done: usize,
    pub(crate) of: usize,
}

/// So many references lead from what a frame was given to such a list.
const MOST_STEPS: usize = 2;
/// Objects looked at.
const MOST_OBJECTS: usize = 500;

/// The lists of `frame` that are half done, those first whose elements the nearest frames inside it work at.
pub(crate) fn rests(snapshot: &Snapshot, frame: usize) -> Vec<Rest> {
    let heap = &snapshot.heap;
    let frames = &snapshot.manifest.frames;
    let Some(outer) = captured(frames, frame) else {
        return Vec::new();
    };
    let lists = lists(heap, &given(outer));
    let inner = (0..frame)
        .rev()
        .filter_map(|number| captured(frames, number));
    let mut found: Vec<Rest> = Vec::new();
    for worked_at in inner.map(given) {
        for list in &lists {
            let rest = rest(heap, *list, &worked_at);
            found.extend(rest.filter(|rest| !found.contains(rest)));
        }
    }
    found
}

fn captured(frames: &[FrameInfo], number: usize) -> Option<&CapturedFrame> {
    frames.get(number)?.captured.as_ref()
}

fn given(captured: &CapturedFrame) -> Vec<ObjectId> {
    let arguments = captured.arguments.iter().map(|argument| argument.value);
    let values = std::iter::once(captured.receiver).chain(arguments);
    values.filter_map(object).collect()
}

fn object(value: Value) -> Option<ObjectId> {
    match value {
        Value::Ref(id) => Some(id),
        _ => None,
    }
}

fn lists(heap: &Heap, from: &[ObjectId]) -> Vec<ObjectId> {
    let mut seen: BTreeSet<ObjectId> = BTreeSet::new();
    let mut level = from.to_vec();
    let mut found = Vec::new();
    for _ in 0..=MOST_STEPS {
        let mut next = Vec::new();
        for id in level {
            if seen.len() >= MOST_OBJECTS || !seen.insert(id) {
                continue;
            }
            if heap.class_name(id) == Some(LIST) {
                found.push(id);
            } else {
                heap.each_reference(id, |target| next.push(ObjectId(target)));
            }
        }
        level = next;
    }
    found
}

fn rest(heap: &Heap, list: ObjectId, worked_at: &[ObjectId]) -> Option<Rest> {
    let fields = heap.object(list)?;
    let fields = fields.kind.fields();
    let array = object(field(fields, "elementData")?.value)?;
    let size = field(fields, "size")?;
    let Value::Int(count) = size.value else {
        return None;
    };
    let of = usize::try_from(count).ok()?;
    let Kind::Array { elements, .. } = heap.object(array)?.kind else {
        return None;
    };
    let elements = elements.get(..of)?;
    let done = elements
        .iter()
        .position(|element| object(*element).is_some_and(|id| worked_at.contains(&id)))
        .filter(|done| *done > 0)?;
    let left = elements.get(done..)?;
    let class = heap.class_name(array)?.to_owned();
    let mut patches: Vec<Patch> = left
        .iter()
        .enumerate()
        .map(|(index, value)| Patch {
            object: array,
            class: class.clone(),
            field: format!("[{index}]"),
            descriptor: "Ljava/lang/Object;".to_owned(),
            value: *value,
        })
        .collect();
    patches.push(Patch {
        object: list,
        class: LIST.to_owned(),
        field: "size".to_owned(),
        descriptor: "I".to_owned(),
        value: Value::Int(i32::try_from(left.len()).ok()?),
    });
    Some(Rest { patches, done, of })
}

fn field<'f>(fields: &'f [Field<'_>], name: &str) -> Option<&'f Field<'f>> {
    fields.iter().find(|field| field.name == name)
}
