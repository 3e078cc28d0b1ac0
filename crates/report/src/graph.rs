//! The objects as one frame saw them.

use recrash_heap::manifest::{ObjectId, Patch, Value};
use recrash_heap::{EntryState, Heap, Kind, Object};

/// The heap part, with the patches of a frame laid over it. A snapshot holds the objects as they were at the failure;
/// a reader of a frame wants them as they were on entry.
#[derive(Debug, Clone, Copy)]
pub struct Graph<'a> {
    heap: &'a Heap,
    entry: Option<&'a EntryState<'a>>,
}

impl<'a> Graph<'a> {
    pub fn at_failure(heap: &'a Heap) -> Self {
        Graph { heap, entry: None }
    }

    pub fn on_entry(heap: &'a Heap, entry: &'a EntryState<'a>) -> Self {
        Graph {
            heap,
            entry: Some(entry),
        }
    }

    /// What is laid over the heap part.
    pub fn patches(self) -> impl Iterator<Item = &'a Patch> {
        self.entry.into_iter().flat_map(EntryState::patches)
    }

    pub fn heap(self) -> &'a Heap {
        self.heap
    }

    pub fn object(self, id: ObjectId) -> Option<Object<'a>> {
        let mut object = self.heap.object(id)?;
        let patches = self.entry.map(|entry| entry.of_object(id));
        for patch in patches.into_iter().flatten() {
            if let Some(value) = place(&mut object.kind, patch) {
                *value = patch.value;
            }
        }
        Some(object)
    }

    pub(crate) fn target(self, value: Value) -> Option<Object<'a>> {
        match value {
            Value::Ref(id) => self.object(id),
            _ => None,
        }
    }
}

/// The value that a patch is about.
pub(crate) fn place<'o>(kind: &'o mut Kind<'_>, patch: &Patch) -> Option<&'o mut Value> {
    if let Kind::Array { elements, .. } = kind {
        return elements.get_mut(patch.element()?);
    }
    let mut fields = kind.fields_mut().iter_mut();
    fields
        .find(|field| field.name == patch.field && field.declared_in == patch.class)
        .map(|field| &mut field.value)
}
