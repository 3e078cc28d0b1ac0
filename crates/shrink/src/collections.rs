//! Which objects of a heap are collections of the JDK, or small values, and which are parts of these.

use recrash_heap::{Heap, Kind, ObjectId, Value};
use std::collections::{HashMap, HashSet};

use crate::collection::{Collection, field_of};
use crate::known::{Known, known};

/// All collections of a heap, and the objects that are part of them or of a small value.
#[derive(Debug, Default)]
pub(crate) struct Collections {
    pub(crate) by_id: HashMap<ObjectId, Collection>,
    inside: HashSet<ObjectId>,
    /// Collections and values, whose own fields are theirs alone.
    closed: HashSet<ObjectId>,
}

impl Collections {
    pub(crate) fn of(heap: &Heap) -> Self {
        let mut found = Collections::default();
        let kinds = known_classes(heap);
        for number in 1..=heap.len() {
            let id = ObjectId(number);
            let kind = heap.class_name(id).and_then(|name| kinds.get(name));
            if let Some(kind) = kind {
                found.add(heap, id, *kind);
            }
        }
        found
    }

    fn add(&mut self, heap: &Heap, id: ObjectId, kind: Known) {
        let Some(Kind::Instance { .. }) = heap.object(id).map(|object| object.kind) else {
            return;
        };
        match kind {
            Known::Value => {
                self.closed.insert(id);
                heap.each_reference(id, |target| {
                    self.inside.insert(ObjectId(target));
                });
            }
            Known::Around(field) => {
                self.closed.insert(id);
                if let Some((_, Value::Ref(map))) = field_of(heap, id, field) {
                    self.inside.insert(map);
                }
            }
            kind => {
                if let Some(collection) = Collection::read(heap, id, kind) {
                    self.closed.insert(id);
                    self.inside.extend(collection.parts());
                    self.by_id.insert(id, collection);
                }
            }
        }
    }

    pub(crate) fn get(&self, id: ObjectId) -> Option<&Collection> {
        self.by_id.get(&id)
    }

    /// Whether the object is part of a collection or value: not to be taken out of it.
    pub(crate) fn is_inside(&self, id: ObjectId) -> bool {
        self.inside.contains(&id)
    }

    /// Whether the object's fields are not to be touched one by one.
    pub(crate) fn is_closed(&self, id: ObjectId) -> bool {
        self.closed.contains(&id) || self.inside.contains(&id)
    }
}

/// The nearest known class that each class is or extends; its own fields do not make a sub class unknown.
fn known_classes(heap: &Heap) -> HashMap<&str, Known> {
    let mut kinds: HashMap<&str, Known> = HashMap::new();
    let classes = heap.classes();
    for class in classes {
        let above = class.super_class.and_then(|above| {
            let above = classes.get(above.0 as usize)?;
            kinds.get(above.name.as_str()).copied()
        });
        if let Some(kind) = known(&class.name).or(above) {
            kinds.insert(&class.name, kind);
        }
    }
    kinds
}
