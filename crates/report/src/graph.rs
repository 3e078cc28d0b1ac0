//! The objects as one frame saw them.

use recrash_heap::manifest::{ObjectId, Patch, Value};
use recrash_heap::{Field, Heap, Kind, Object};

/// The heap part, with the patches of a frame laid over it. A snapshot holds the objects as they were at the failure;
/// a reader of a frame wants them as they were on entry.
#[derive(Debug, Clone, Copy)]
pub struct Graph<'a> {
    heap: &'a Heap,
    patches: &'a [Patch],
}

impl<'a> Graph<'a> {
    pub fn at_failure(heap: &'a Heap) -> Self {
        Graph { heap, patches: &[] }
    }

    pub fn on_entry(heap: &'a Heap, patches: &'a [Patch]) -> Self {
        Graph { heap, patches }
    }

    /// What is laid over the heap part.
    pub fn patches(self) -> impl Iterator<Item = &'a Patch> {
        self.patches.iter()
    }

    pub fn heap(self) -> &'a Heap {
        self.heap
    }

    pub fn object(self, id: ObjectId) -> Option<Object<'a>> {
        let mut object = self.heap.object(id)?;
        for patch in self.patches.iter().filter(|patch| patch.object == id) {
            if let Kind::Instance { fields } = &mut object.kind {
                lay_over(fields, patch);
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

fn lay_over(fields: &mut [Field<'_>], patch: &Patch) {
    let field = fields
        .iter_mut()
        .find(|field| field.name == patch.field && field.declared_in == patch.class);
    if let Some(field) = field {
        field.value = patch.value;
    }
}
