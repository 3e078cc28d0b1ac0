//! Edits: the same failure with some of its state changed, and nothing left in it that can no longer be reached.
//!
//! Edits are collected against one snapshot and name its objects by their numbers there; [`Edits::apply`] makes a new
//! snapshot, whose objects are numbered anew in the old order. Cost is linear in the snapshot, whatever is changed.

use crate::compact::{Change, Rewritten, compact};
use crate::error::Error;
use crate::heap::Heap;
use crate::manifest::{CapturedFrame, Manifest, ObjectId, Patch, Value};
use crate::snapshot::Snapshot;
use std::collections::{HashMap, HashSet};

/// A place that holds a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// Counted over all fields of the object, in the order of [`crate::Kind::fields`].
    Field {
        object: ObjectId,
        index: u32,
    },
    Element {
        array: ObjectId,
        index: u32,
    },
    Receiver {
        frame: usize,
    },
    Argument {
        frame: usize,
        index: usize,
    },
    /// The value on entry.
    Patch {
        frame: usize,
        index: usize,
    },
    Static(usize),
    ThreadLocal(usize),
}

/// A part of the manifest that can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    Static(usize),
    ThreadLocal(usize),
    Patch {
        frame: usize,
        index: usize,
    },
    /// What was captured of a frame; its line in the stack trace stays. Its patches go with it, though they may lead
    /// part of the way for frames further out.
    Captured(usize),
    /// The object of an exception; its type, message and trace stay.
    Throwable(usize),
}

/// What is to be different in a snapshot. A later edit of the same place replaces the earlier one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edits {
    objects: HashMap<u32, Change>,
    values: HashMap<Slot, Value>,
    left_out: HashSet<Part>,
}

/// What [`Edits::apply`] made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    pub snapshot: Snapshot,
    /// By old number; 0 for objects that are gone.
    numbers: Vec<u32>,
}

impl Edited {
    /// The object that was `old`, if it is still there.
    pub fn object(&self, old: ObjectId) -> Option<ObjectId> {
        let number = self.numbers.get(old.0 as usize).copied()?;
        (number != 0).then_some(ObjectId(number))
    }
}

impl Edits {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn is_empty(&self) -> bool {
        self.objects.is_empty() && self.values.is_empty() && self.left_out.is_empty()
    }

    /// Puts `value` into the slot; references are numbers of the snapshot that is edited.
    pub fn set(&mut self, slot: Slot, value: Value) {
        match slot {
            Slot::Field { object, index }
            | Slot::Element {
                array: object,
                index,
            } => {
                self.change(object).values.insert(index, value);
            }
            _ => {
                self.values.insert(slot, value);
            }
        }
    }

    /// Every reference to the object becomes null.
    pub fn remove(&mut self, object: ObjectId) {
        self.change(object).removed = true;
    }

    /// Gives a string other characters (UTF-16 code units).
    pub fn replace_text(&mut self, string: ObjectId, units: Vec<u16>) {
        self.change(string).text = Some(units);
    }

    /// Cuts an array to its first `length` elements.
    pub fn cut(&mut self, array: ObjectId, length: u32) {
        self.change(array).length = Some(length);
    }

    /// Gives a boxed value ([`crate::Kind::Boxed`]) other bits, which must be those of a value that its class caches.
    pub fn replace_boxed(&mut self, boxed: ObjectId, bits: u64) {
        self.change(boxed).bits = Some(bits);
    }

    pub fn leave_out(&mut self, part: Part) {
        self.left_out.insert(part);
    }

    fn change(&mut self, ObjectId(id): ObjectId) -> &mut Change {
        self.objects.entry(id).or_default()
    }

    /// The snapshot with the edits made, without what no frame, static field, thread local or exception leads to.
    ///
    /// An error names an edit that does not fit its object; places that do not exist are passed over.
    pub fn apply(&self, snapshot: &Snapshot) -> Result<Edited, Error> {
        let mut manifest = self.manifest(&snapshot.manifest);
        let mut rewritten: HashMap<u32, Rewritten> = HashMap::new();
        for (id, change) in &self.objects {
            rewritten.insert(*id, Rewritten::of(&snapshot.heap, *id, change)?);
        }
        let (heap, numbers) = compact(&snapshot.heap, &rewritten, &manifest)?;
        renumber(&mut manifest, &numbers);
        for captured in captured_mut(&mut manifest) {
            captured.patches.retain(|patch| has_place(&heap, patch));
        }
        Ok(Edited {
            snapshot: Snapshot {
                manifest,
                heap,
                classes: snapshot.classes.clone(),
            },
            numbers,
        })
    }

    /// The manifest with the edits made, its objects still under their old numbers.
    fn manifest(&self, old: &Manifest) -> Manifest {
        let mut new = old.clone();
        for (index, throwable) in new.throwables.iter_mut().enumerate() {
            if self.left_out.contains(&Part::Throwable(index)) {
                throwable.object = ObjectId(0);
            }
        }
        for (frame, info) in new.frames.iter_mut().enumerate() {
            if self.left_out.contains(&Part::Captured(frame)) {
                info.captured = None;
            }
            if let Some(captured) = &mut info.captured {
                self.captured(frame, captured);
            }
        }
        for (index, field) in new.statics.iter_mut().enumerate() {
            self.put(Slot::Static(index), &mut field.value);
        }
        for (index, local) in new.thread_locals.iter_mut().enumerate() {
            self.put(Slot::ThreadLocal(index), &mut local.value);
        }
        self.keep(&mut new.statics, Part::Static);
        self.keep(&mut new.thread_locals, Part::ThreadLocal);
        new
    }

    fn captured(&self, frame: usize, captured: &mut CapturedFrame) {
        self.put(Slot::Receiver { frame }, &mut captured.receiver);
        for (index, argument) in captured.arguments.iter_mut().enumerate() {
            self.put(Slot::Argument { frame, index }, &mut argument.value);
        }
        for (index, patch) in captured.patches.iter_mut().enumerate() {
            self.put(Slot::Patch { frame, index }, &mut patch.value);
        }
        self.keep(&mut captured.patches, |index| Part::Patch { frame, index });
    }

    fn put(&self, slot: Slot, value: &mut Value) {
        if let Some(new) = self.values.get(&slot) {
            *value = *new;
        }
    }

    fn keep<T>(&self, items: &mut Vec<T>, part: impl Fn(usize) -> Part) {
        let mut index = 0;
        items.retain(|_| {
            index += 1;
            !self.left_out.contains(&part(index - 1))
        });
    }
}

fn captured_mut(manifest: &mut Manifest) -> impl Iterator<Item = &mut CapturedFrame> {
    let frames = manifest.frames.iter_mut();
    frames.filter_map(|info| info.captured.as_mut())
}

/// Whether the array is still long enough.
fn has_place(heap: &Heap, patch: &Patch) -> bool {
    match (patch.element(), heap.array_length(patch.object)) {
        (Some(index), Some(length)) => index < length as usize,
        _ => true,
    }
}

/// From old numbers to new ones; what leads nowhere any more is null or gone.
fn renumber(manifest: &mut Manifest, numbers: &[u32]) {
    let of = |ObjectId(id): ObjectId| ObjectId(numbers.get(id as usize).copied().unwrap_or(0));
    let value = |value: &mut Value| {
        if let Value::Ref(id) = *value {
            *value = match of(id) {
                ObjectId(0) => Value::Null,
                id => Value::Ref(id),
            };
        }
    };
    for throwable in &mut manifest.throwables {
        throwable.object = of(throwable.object);
    }
    for captured in captured_mut(manifest) {
        value(&mut captured.receiver);
        for argument in &mut captured.arguments {
            value(&mut argument.value);
        }
        // Object 0 stands for the class of a static field.
        captured
            .patches
            .retain(|patch| patch.object.0 == 0 || of(patch.object).0 != 0);
        for patch in &mut captured.patches {
            patch.object = of(patch.object);
            value(&mut patch.value);
        }
    }
    for field in &mut manifest.statics {
        value(&mut field.value);
    }
    manifest.thread_locals.retain(|local| of(local.key).0 != 0);
    for local in &mut manifest.thread_locals {
        local.key = of(local.key);
        value(&mut local.value);
    }
    if let Some(privacy) = &mut manifest.privacy {
        // Object 0 stands for the manifest itself.
        privacy
            .redactions
            .retain(|redaction| redaction.object.0 == 0 || of(redaction.object).0 != 0);
        for redaction in &mut privacy.redactions {
            redaction.object = of(redaction.object);
        }
    }
}
