//! The restore plan: what the Java restorer executes to bring one frame's objects back.
//!
//! ```text
//! "RCPL"  u32 version
//! str     the class of the frame's method
//! u32 n   n classes              str name  u32 length  bytes: defined where needed and not known to the test
//! u32 length of the heap part, then the heap part as in `format.rs`
//! u32 length of the bit set, then one bit per object id (bit 0 of byte 0 is id 0): set for those to restore
//! u16 n   n values               receiver, then the arguments
//! u32 n   n statics              str class  str field  str descriptor  value
//! u32 n   n thread locals        u32 key  u8 inheritable  value
//! u32 n   n patches              u32 object  str class  str field  str descriptor  value
//! value = u8 descriptor character ('L' for references, 0 or an id in the bits)  u64 bits
//! ```
//! The heap part travels as it is: it was checked when the snapshot was read, and copying it costs less than packing it
//! anew. The bit set keeps the restorer from allocating what the frame cannot reach.

use crate::entry::EntryState;
use crate::error::Error;
use crate::heap::Heap;
use crate::manifest::{
    CapturedFrame, Manifest, ObjectId, Patch, StaticField, ThreadLocalEntry, Value,
};
use crate::snapshot::Snapshot;

const MAGIC: [u8; 4] = *b"RCPL";
const VERSION: u32 = 1;

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

    let heap = snapshot.heap.bytes();
    let mut plan = Vec::with_capacity(heap.len() + needed.len() + 4096);
    plan.extend(MAGIC);
    plan.extend(VERSION.to_le_bytes());
    put_str(&mut plan, frame_class(manifest, frame));
    plan.extend((snapshot.classes.len() as u32).to_le_bytes());
    for class in &snapshot.classes {
        put_str(&mut plan, &class.name);
        plan.extend((class.bytes.len() as u32).to_le_bytes());
        plan.extend(&class.bytes);
    }
    plan.extend((heap.len() as u32).to_le_bytes());
    plan.extend(heap);
    plan.extend((needed.len() as u32).to_le_bytes());
    plan.extend(&needed);
    plan.extend((captured.arguments.len() as u16 + 1).to_le_bytes());
    put_value(&mut plan, captured.receiver);
    for argument in &captured.arguments {
        put_value(&mut plan, argument.value);
    }
    plan.extend((statics.len() as u32).to_le_bytes());
    for field in statics {
        put_str(&mut plan, &field.class);
        put_str(&mut plan, &field.field);
        put_str(&mut plan, &field.descriptor);
        put_value(&mut plan, field.value);
    }
    plan.extend((thread_locals.len() as u32).to_le_bytes());
    for local in thread_locals {
        plan.extend(local.key.0.to_le_bytes());
        plan.push(local.inheritable.into());
        put_value(&mut plan, local.value);
    }
    let needs = |patch: &&Patch| patch.object.0 == 0 || is_marked(&needed, patch.object);
    plan.extend((entry.patches().filter(needs).count() as u32).to_le_bytes());
    for patch in entry.patches().filter(needs) {
        plan.extend(patch.object.0.to_le_bytes());
        put_str(&mut plan, &patch.class);
        put_str(&mut plan, &patch.field);
        put_str(&mut plan, &patch.descriptor);
        put_value(&mut plan, patch.value);
    }
    Ok(plan)
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

fn put_str(plan: &mut Vec<u8>, text: &str) {
    // Class and member names are at most 65,535 bytes in a class file (JVMS 4.4.7); a longer one matches nothing.
    let bytes = text.as_bytes();
    let bytes = bytes.get(..usize::from(u16::MAX)).unwrap_or(bytes);
    plan.extend((bytes.len() as u16).to_le_bytes());
    plan.extend(bytes);
}

fn put_value(plan: &mut Vec<u8>, value: Value) {
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
    plan.push(kind);
    plan.extend(bits.to_le_bytes());
}
