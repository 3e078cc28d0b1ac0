//! The restore plan of one frame: which objects it needs, and what is laid over them. `wire` declares its bytes.

use crate::entry::EntryState;
use crate::error::Error;
use crate::heap::Heap;
use crate::manifest::{
    CapturedFrame, Manifest, ObjectId, Patch, StaticField, ThreadLocalEntry, Value,
};
use crate::snapshot::Snapshot;
use recrash_wire::plan as wire;

/// Which parts of the state around the frame are restored with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanOptions {
    /// Static fields of application classes and the thread's locals.
    pub statics: bool,
    /// The values on entry, where they differ from those at the failure.
    pub patches: bool,
}

impl Default for PlanOptions {
    fn default() -> Self {
        Self {
            statics: true,
            patches: true,
        }
    }
}

/// Objects of a heap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectSet {
    /// One bit per id: bit 0 of byte 0 is id 0.
    bits: Vec<u8>,
}

impl ObjectSet {
    pub fn contains(&self, id: ObjectId) -> bool {
        is_marked(&self.bits, id)
    }
}

/// The objects that a plan for `frame` would restore.
pub fn needed(snapshot: &Snapshot, frame: usize, options: PlanOptions) -> Result<ObjectSet, Error> {
    let bits = State::of(&snapshot.manifest, frame, options)?.needed(&snapshot.heap);
    Ok(ObjectSet { bits })
}

/// What of a manifest belongs to one frame.
struct State<'a> {
    captured: &'a CapturedFrame,
    statics: &'a [StaticField],
    thread_locals: &'a [ThreadLocalEntry],
    entry: EntryState<'a>,
}

impl<'a> State<'a> {
    fn of(manifest: &'a Manifest, frame: usize, options: PlanOptions) -> Result<Self, Error> {
        let captured = captured_frame(manifest, frame)?;
        let (statics, thread_locals) = if options.statics {
            (
                manifest.statics.as_slice(),
                manifest.thread_locals.as_slice(),
            )
        } else {
            Default::default()
        };
        let entry = if options.patches {
            EntryState::of(&manifest.frames, frame)
        } else {
            EntryState::default()
        };
        Ok(Self {
            captured,
            statics,
            thread_locals,
            entry,
        })
    }

    fn needed(&self, heap: &Heap) -> Vec<u8> {
        let mut reach = Reach::new(heap);
        reach.value(self.captured.receiver);
        for argument in &self.captured.arguments {
            reach.value(argument.value);
        }
        for field in self.statics {
            reach.value(field.value);
        }
        for local in self.thread_locals {
            reach.value(Value::Ref(local.key));
            reach.value(local.value);
        }
        reach.close(&self.entry)
    }
}

/// The bytes that `java.lang.$RecrashRestorer` executes for frame `frame` of the manifest.
pub fn plan(snapshot: &Snapshot, frame: usize, options: PlanOptions) -> Result<Vec<u8>, Error> {
    plan_by(&snapshot.manifest, snapshot, frame, options)
}

/// The same with another manifest over the snapshot's objects: what becomes of a frame that finds another state.
pub fn plan_by(
    manifest: &Manifest,
    snapshot: &Snapshot,
    frame: usize,
    options: PlanOptions,
) -> Result<Vec<u8>, Error> {
    let state = State::of(manifest, frame, options)?;
    let needed = state.needed(&snapshot.heap);
    let State {
        captured,
        statics,
        thread_locals,
        entry,
    } = state;

    let needs = |patch: &&Patch| patch.object.0 == 0 || is_marked(&needed, patch.object);
    let mut values = vec![wire_value(captured.receiver)];
    values.extend(captured.arguments.iter().map(|each| wire_value(each.value)));
    let plan = wire::Plan {
        class: frame_class(manifest, frame),
        classes: snapshot
            .classes
            .iter()
            .map(|class| (class.name.as_str(), class.bytes.as_slice()))
            .collect(),
        heap: snapshot.heap.bytes(),
        needed: &needed,
        values,
        statics: statics
            .iter()
            .map(|each| wire_field(&each.class, &each.field, &each.descriptor, each.value))
            .collect(),
        thread_locals: thread_locals
            .iter()
            .map(|local| wire::ThreadLocal {
                key: local.key.0,
                inheritable: local.inheritable,
                value: wire_value(local.value),
            })
            .collect(),
        patches: entry
            .patches()
            .filter(needs)
            .map(|each| {
                let field = wire_field(&each.class, &each.field, &each.descriptor, each.value);
                (each.object.0, field)
            })
            .collect(),
    };
    Ok(plan.encode())
}

fn frame_class(manifest: &Manifest, frame: usize) -> &str {
    manifest
        .frames
        .get(frame)
        .map_or("", |info| &info.element.class)
}

fn captured_frame(manifest: &Manifest, frame: usize) -> Result<&CapturedFrame, Error> {
    let info = manifest.frames.get(frame).ok_or(Error::NoSuchFrame {
        frame,
        frames: manifest.frames.len(),
    })?;
    info.captured
        .as_ref()
        .ok_or_else(|| Error::FrameNotCaptured {
            frame,
            method: format!("{}.{}", info.element.class, info.element.method),
        })
}

/// The objects reachable from what was given to `value`, as a bit set over ids.
struct Reach<'a> {
    heap: &'a Heap,
    seen: Vec<u8>,
    waiting: Vec<u32>,
}

impl<'a> Reach<'a> {
    fn new(heap: &'a Heap) -> Self {
        Self {
            heap,
            seen: vec![0; heap.len() as usize / 8 + 1],
            waiting: Vec::new(),
        }
    }

    fn value(&mut self, value: Value) {
        if let Value::Ref(ObjectId(id)) = value {
            mark(&mut self.seen, &mut self.waiting, id);
        }
    }

    /// What an object refers to at the failure is restored as well as what it referred to on entry.
    fn close(mut self, entry: &EntryState<'_>) -> Vec<u8> {
        let before = |id| entry.of_object(id).map(|patch| patch.value);
        before(ObjectId(0)).for_each(|value| self.value(value));
        while let Some(id) = self.waiting.pop() {
            let (seen, waiting) = (&mut self.seen, &mut self.waiting);
            self.heap
                .each_reference(ObjectId(id), |target| mark(seen, waiting, target));
            before(ObjectId(id)).for_each(|value| self.value(value));
        }
        self.seen
    }
}

fn is_marked(seen: &[u8], ObjectId(id): ObjectId) -> bool {
    let byte = seen.get(id as usize / 8).copied().unwrap_or(0);
    byte & 1u8 << (id % 8) != 0
}

fn mark(seen: &mut [u8], waiting: &mut Vec<u32>, id: u32) {
    let bit = 1u8 << (id % 8);
    if let Some(byte) = seen.get_mut(id as usize / 8)
        && *byte & bit == 0
    {
        *byte |= bit;
        waiting.push(id);
    }
}

fn wire_field<'a>(
    class: &'a str,
    name: &'a str,
    descriptor: &'a str,
    value: Value,
) -> wire::Field<'a> {
    wire::Field {
        class,
        name,
        descriptor,
        value: wire_value(value),
    }
}

fn wire_value(value: Value) -> wire::Value {
    let (kind, bits) = match value {
        Value::Null => (b'L', 0),
        Value::Ref(ObjectId(id)) => (b'L', u64::from(id)),
        Value::Boolean(v) => (b'Z', u64::from(v)),
        Value::Byte(v) => (b'B', i64::from(v) as u64),
        Value::Char(v) => (b'C', u64::from(v)),
        Value::Short(v) => (b'S', i64::from(v) as u64),
        Value::Int(v) => (b'I', i64::from(v) as u64),
        Value::Long(v) => (b'J', v as u64),
        Value::FloatBits(v) => (b'F', u64::from(v)),
        Value::DoubleBits(v) => (b'D', v),
    };
    wire::Value { kind, bits }
}
