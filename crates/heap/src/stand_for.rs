//! Objects that stand for others: a proxy and the object that it passes calls on to.
//!
//! What a library made to load an entity late, or to come between a caller and a bean, is of a class that extends that of its
//! target, and leads to the target by way of the library's own objects. What is in the fields that it inherits is of no account.

use crate::heap::{Heap, each_reference};
use crate::manifest::{CapturedFrame, Manifest, ObjectId, Value};
use crate::object::{Field, Kind};
use crate::snapshot::Snapshot;
use std::collections::{BTreeMap, BTreeSet};

/// So many objects of the library may lie between a proxy and its target.
const FARTHEST: usize = 5;

/// More objects than this are not looked at for one proxy.
const MOST_LOOKED_AT: usize = 300;

/// Each proxy of the snapshot with its target, where there is no doubt.
pub fn targets(snapshot: &Snapshot) -> BTreeMap<ObjectId, ObjectId> {
    let heap = &snapshot.heap;
    let generated: BTreeSet<&str> = snapshot
        .classes
        .iter()
        .map(|class| class.name.as_str())
        .collect();
    (1..=heap.len())
        .map(ObjectId)
        .filter_map(|id| Some((id, target(heap, &generated, id)?)))
        .collect()
}

/// Of an object whose class travels with the snapshot because no jar has it, or says by its name that it was made.
fn target(heap: &Heap, generated: &BTreeSet<&str>, id: ObjectId) -> Option<ObjectId> {
    let name = heap.class_name(id)?;
    if !generated.contains(name) && !is_named_as_made(name) {
        return None;
    }
    let Kind::Instance { fields } = heap.object(id)?.kind else {
        return None;
    };
    let own: Vec<Field<'_>> = fields
        .into_iter()
        .filter(|field| field.declared_in == name)
        .collect();
    let parent = parent(heap, name)?;
    if parent.starts_with("java.") {
        return None;
    }
    let mut level: Vec<ObjectId> = own
        .iter()
        .filter_map(|field| reference(field.value))
        .collect();
    let mut seen: BTreeSet<ObjectId> = BTreeSet::from([id]);
    for _ in 0..FARTHEST {
        let found: BTreeSet<ObjectId> = level
            .iter()
            .copied()
            .filter(|near| {
                *near != id
                    && heap
                        .class_name(*near)
                        .is_some_and(|class| is_a(heap, class, parent) && class != name)
            })
            .collect();
        match found.len() {
            0 => {}
            1 => return found.into_iter().next(),
            _ => return None,
        }
        let mut next = Vec::new();
        for near in level {
            if seen.len() < MOST_LOOKED_AT && seen.insert(near) {
                next.extend(of_library(heap, near));
            }
        }
        level = next;
    }
    None
}

/// What generators put into the names of the classes they make.
fn is_named_as_made(name: &str) -> bool {
    name.contains("$$") || name.ends_with("_ClientProxy") || name.ends_with("_Subclass")
}

fn reference(value: Value) -> Option<ObjectId> {
    match value {
        Value::Ref(id) => Some(id),
        _ => None,
    }
}

/// What the fields of a library's object refer to. Collections and arrays hold many objects, none of which is the target.
fn of_library(heap: &Heap, id: ObjectId) -> Vec<ObjectId> {
    match heap.object(id) {
        Some(object) if !object.class.starts_with("java.") => match object.kind {
            Kind::Instance { fields } => {
                let values = fields.iter().map(|field| field.value);
                values.filter_map(reference).collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn parent<'h>(heap: &'h Heap, name: &str) -> Option<&'h str> {
    let class = heap.classes().iter().find(|class| class.name == name)?;
    heap.class(class.super_class?)
        .map(|class| class.name.as_str())
}

fn is_a(heap: &Heap, class: &str, wanted: &str) -> bool {
    let mut class = Some(class);
    while let Some(name) = class {
        if name == wanted {
            return true;
        }
        class = parent(heap, name);
    }
    false
}

/// The same failure with each of these objects in the place of the one that it stands for. Receivers stay: their own code ran.
#[must_use]
pub fn in_their_places(snapshot: &Snapshot, targets: &BTreeMap<ObjectId, ObjectId>) -> Snapshot {
    let mut changed = snapshot.clone();
    let mut places = Vec::new();
    for id in (1..=snapshot.heap.len()).map(ObjectId) {
        let Some(record) = snapshot.heap.record(id) else {
            continue;
        };
        // Cannot fail: the heap was read.
        let _ = each_reference(&record, snapshot.heap.classes(), &mut |at, target| {
            if let Some(ObjectId(new)) = targets.get(&ObjectId(target)) {
                places.push((at, *new));
            }
            Ok(())
        });
    }
    let bytes = changed.heap.bytes_mut();
    for (at, new) in places {
        if let Some(slot) = bytes.get_mut(at..at + 4) {
            slot.copy_from_slice(&new.to_le_bytes());
        }
    }
    replace(&mut changed.manifest, targets);
    changed
}

fn replace(manifest: &mut Manifest, targets: &BTreeMap<ObjectId, ObjectId>) {
    let put = |value: &mut Value| {
        if let Value::Ref(id) = value
            && let Some(target) = targets.get(id)
        {
            *id = *target;
        }
    };
    for info in &mut manifest.frames {
        if let Some(CapturedFrame {
            arguments, patches, ..
        }) = &mut info.captured
        {
            for argument in arguments {
                put(&mut argument.value);
            }
            for patch in patches {
                put(&mut patch.value);
            }
        }
    }
    for field in &mut manifest.statics {
        put(&mut field.value);
    }
    for local in &mut manifest.thread_locals {
        put(&mut local.value);
    }
}
