//! A heap part without the objects that nothing leads to, and with some records rewritten.

use crate::classes::Class;
use crate::error::Error;
use crate::format::{self, ClassIndex, Cursor, tag};
use crate::heap::{Heap, Record, each_reference};
use crate::manifest::{Manifest, ObjectId, Value};
use std::collections::{BTreeMap, HashMap};

/// Where the class of a record stands, behind its tag.
const CLASS_AT: usize = 1;

/// Of one object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) removed: bool,
    /// By number of the field or element.
    pub(crate) values: BTreeMap<u32, Value>,
    pub(crate) length: Option<u32>,
    pub(crate) text: Option<Vec<u16>>,
    pub(crate) bits: Option<u64>,
}

/// What became of an edited object's record, its references still by their old numbers.
pub(crate) enum Rewritten {
    Removed,
    Record(Vec<u8>),
}

impl Rewritten {
    pub(crate) fn of(heap: &Heap, id: u32, change: &Change) -> Result<Self, Error> {
        if change.removed {
            return Ok(Self::Removed);
        }
        let bad = |reason| Error::BadEdit {
            object: ObjectId(id),
            reason,
        };
        let old = heap.record_bytes(id);
        let record = Record::read(&mut Cursor::new(old, 0), ObjectId(id))
            .map_err(|_| bad("there is no such object"))?;
        let class = heap.classes().get(record.class.0 as usize);
        let mut new = old.to_vec();
        let mut body = record.body;
        match record.tag {
            tag::INSTANCE | tag::ENUM => {
                if record.tag == tag::ENUM {
                    body.str("an enum constant")?;
                }
                let fields = fields_of(heap, record.class);
                for (index, value) in &change.values {
                    let (offset, descriptor) = fields
                        .get(*index as usize)
                        .ok_or(bad("it has no field of this number"))?;
                    put(&mut new, body.position() + offset, descriptor, *value)
                        .ok_or(bad("the value does not fit the field"))?;
                }
            }
            tag::OBJECT_ARRAY | tag::PRIMITIVE_ARRAY => {
                let component = class.and_then(Class::component).unwrap_or_default();
                let width = format::width(component).unwrap_or(1) as usize;
                let length = body.u32("an array")?;
                let start = body.position();
                for (index, value) in &change.values {
                    if *index >= length {
                        return Err(bad("it has no element of this number"));
                    }
                    put(&mut new, start + *index as usize * width, component, *value)
                        .ok_or(bad("the value does not fit the array"))?;
                }
                if let Some(shorter) = change.length {
                    if shorter > length {
                        return Err(bad("an array can only become shorter"));
                    }
                    overwrite(&mut new, start - 4, &shorter.to_le_bytes());
                    new.truncate(start + shorter as usize * width);
                }
            }
            tag::STRING => {
                if let Some(units) = &change.text {
                    let interned = body.u8("a string")? & 2;
                    new.truncate(record.body.position());
                    put_text(&mut new, interned, units);
                }
            }
            tag::BOXED => {
                if let Some(bits) = change.bits {
                    overwrite(&mut new, body.position(), &bits.to_le_bytes());
                }
            }
            _ => return Err(bad("an object of its kind has no state here")),
        }
        Ok(Self::Record(new))
    }
}

/// Offset in the record's body and descriptor of each field, those of the topmost super class first.
fn fields_of(heap: &Heap, class: ClassIndex) -> Vec<(usize, &str)> {
    let mut line = Vec::new();
    let mut next = heap.classes().get(class.0 as usize);
    while let Some(class) = next {
        line.push(class);
        next = class
            .super_class
            .and_then(|above| heap.classes().get(above.0 as usize));
    }
    let mut at = 0;
    let mut fields = Vec::new();
    for field in line.iter().rev().flat_map(|class| &class.fields) {
        fields.push((at, field.descriptor.as_str()));
        at += format::width(&field.descriptor).unwrap_or(0) as usize;
    }
    fields
}

/// `None` when the value is of another type than the place.
fn put(bytes: &mut [u8], at: usize, descriptor: &str, value: Value) -> Option<()> {
    let kind = descriptor.as_bytes().first()?;
    match (kind, value) {
        (b'L' | b'[', Value::Null) => overwrite(bytes, at, &0u32.to_le_bytes()),
        (b'L' | b'[', Value::Ref(ObjectId(id))) => overwrite(bytes, at, &id.to_le_bytes()),
        (b'Z', Value::Boolean(v)) => overwrite(bytes, at, &[u8::from(v)]),
        (b'B', Value::Byte(v)) => overwrite(bytes, at, &v.to_le_bytes()),
        (b'C', Value::Char(v)) => overwrite(bytes, at, &v.to_le_bytes()),
        (b'S', Value::Short(v)) => overwrite(bytes, at, &v.to_le_bytes()),
        (b'I', Value::Int(v)) => overwrite(bytes, at, &v.to_le_bytes()),
        (b'J', Value::Long(v)) => overwrite(bytes, at, &v.to_le_bytes()),
        (b'F', Value::FloatBits(v)) => overwrite(bytes, at, &v.to_le_bytes()),
        (b'D', Value::DoubleBits(v)) => overwrite(bytes, at, &v.to_le_bytes()),
        _ => return None,
    }
    Some(())
}

fn overwrite(bytes: &mut [u8], at: usize, with: &[u8]) {
    if let Some(place) = bytes.get_mut(at..at + with.len()) {
        place.copy_from_slice(with);
    }
}

/// Latin-1 where that is enough, as the JVM does.
fn put_text(record: &mut Vec<u8>, interned: u8, units: &[u16]) {
    let latin1: Option<Vec<u8>> = units.iter().map(|unit| u8::try_from(*unit).ok()).collect();
    let (coder, bytes) = match latin1 {
        Some(bytes) => (0, bytes),
        None => (
            1,
            units.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
        ),
    };
    record.push(coder | interned);
    record.extend((bytes.len() as u32).to_le_bytes());
    record.extend(bytes);
}

/// The heap of what the manifest, which has old numbers, leads to; and the new number of each old one, 0 for none.
pub(crate) fn compact(
    heap: &Heap,
    rewritten: &HashMap<u32, Rewritten>,
    manifest: &Manifest,
) -> Result<(Heap, Vec<u32>), Error> {
    let old = Old { heap, rewritten };
    let reached = old.reached(manifest)?;
    let mut numbers = vec![0; reached.len()];
    let mut count = 0u32;
    for (number, reached) in numbers.iter_mut().zip(&reached) {
        if *reached {
            count += 1;
            *number = count;
        }
    }
    let classes = old.classes(&reached)?;
    let mut bytes = Vec::with_capacity(heap.bytes().len());
    bytes.extend(format::MAGIC);
    bytes.extend(format::VERSION.to_le_bytes());
    bytes.extend((classes.iter().flatten().count() as u32).to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend([0; 8]);
    put_classes(heap, &classes, &mut bytes);
    let class_bytes = (bytes.len() - format::HEADER) as u32;
    overwrite(&mut bytes, 16, &class_bytes.to_le_bytes());
    for (id, _) in reached.iter().enumerate().filter(|(_, reached)| **reached) {
        old.put_record(id as u32, &numbers, &classes, &mut bytes)?;
    }
    Ok((Heap::parse(bytes, count)?, numbers))
}

/// The heap as it was, with the rewritten records in place of theirs.
struct Old<'a> {
    heap: &'a Heap,
    rewritten: &'a HashMap<u32, Rewritten>,
}

impl<'a> Old<'a> {
    /// `None` for what was removed and for what never was.
    fn record(&self, id: u32) -> Option<&'a [u8]> {
        match self.rewritten.get(&id) {
            Some(Rewritten::Removed) => None,
            Some(Rewritten::Record(bytes)) => Some(bytes),
            None => Some(self.heap.record_bytes(id)).filter(|bytes| !bytes.is_empty()),
        }
    }

    /// Which objects the manifest leads to, by their numbers.
    fn reached(&self, manifest: &Manifest) -> Result<Vec<bool>, Error> {
        let mut reach = Reach {
            old: self,
            seen: vec![false; self.heap.len() as usize + 1],
            waiting: Vec::new(),
        };
        let captured = || {
            let frames = manifest.frames.iter();
            frames.filter_map(|info| info.captured.as_ref())
        };
        let mut before: HashMap<u32, Vec<Value>> = HashMap::new();
        for patch in captured().flat_map(|captured| &captured.patches) {
            before.entry(patch.object.0).or_default().push(patch.value);
        }
        for throwable in &manifest.throwables {
            reach.id(throwable.object.0);
        }
        for captured in captured() {
            reach.value(captured.receiver);
            for argument in &captured.arguments {
                reach.value(argument.value);
            }
        }
        for field in &manifest.statics {
            reach.value(field.value);
        }
        for local in &manifest.thread_locals {
            // A value without its key has no place.
            if self.record(local.key.0).is_some() {
                reach.id(local.key.0);
                reach.value(local.value);
            }
        }
        for value in before.get(&0).into_iter().flatten() {
            reach.value(*value);
        }
        while let Some(id) = reach.waiting.pop() {
            if let Some(bytes) = self.record(id) {
                let record = Record::read(&mut Cursor::new(bytes, 0), ObjectId(id))?;
                each_reference(&record, self.heap.classes(), &mut |_, target| {
                    reach.id(target);
                    Ok(())
                })?;
            }
            for value in before.get(&id).into_iter().flatten() {
                reach.value(*value);
            }
        }
        Ok(reach.seen)
    }

    /// The new place of each class that a reached object needs, a super class before its sub classes as before.
    fn classes(&self, reached: &[bool]) -> Result<Vec<Option<u32>>, Error> {
        let table = self.heap.classes();
        let mut needed = vec![false; table.len()];
        let mut need = |class: u32| {
            let mut next = Some(ClassIndex(class));
            while let Some(index) = next {
                match needed.get_mut(index.0 as usize) {
                    Some(needed) if !*needed => *needed = true,
                    _ => break,
                }
                next = table
                    .get(index.0 as usize)
                    .and_then(|class| class.super_class);
            }
        };
        for (id, _) in reached.iter().enumerate().filter(|(_, reached)| **reached) {
            let Some(bytes) = self.record(id as u32) else {
                continue;
            };
            let mut record = Record::read(&mut Cursor::new(bytes, 0), ObjectId(id as u32))?;
            need(record.class.0);
            if record.tag == tag::WELL_KNOWN {
                need(record.body.u32("a well-known object")?);
            }
        }
        let mut count = 0;
        let place = |needed: bool| {
            needed.then(|| {
                count += 1;
                count - 1
            })
        };
        Ok(needed.into_iter().map(place).collect())
    }

    fn put_record(
        &self,
        id: u32,
        numbers: &[u32],
        classes: &[Option<u32>],
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let Some(bytes) = self.record(id) else {
            return Ok(());
        };
        let start = out.len();
        out.extend(bytes);
        let mut record = Record::read(&mut Cursor::new(bytes, 0), ObjectId(id))?;
        each_reference(&record, self.heap.classes(), &mut |at, target| {
            let number = numbers.get(target as usize).copied().unwrap_or(0);
            overwrite(out, start + at, &number.to_le_bytes());
            Ok(())
        })?;
        let place = |class: u32| classes.get(class as usize).copied().flatten().unwrap_or(0);
        overwrite(out, start + CLASS_AT, &place(record.class.0).to_le_bytes());
        if record.tag == tag::WELL_KNOWN {
            let at = start + record.body.position();
            let declaring = record.body.u32("a well-known object")?;
            overwrite(out, at, &place(declaring).to_le_bytes());
        }
        Ok(())
    }
}

struct Reach<'a> {
    old: &'a Old<'a>,
    seen: Vec<bool>,
    waiting: Vec<u32>,
}

impl Reach<'_> {
    fn id(&mut self, id: u32) {
        if let Some(seen) = self.seen.get_mut(id as usize)
            && id != 0
            && !*seen
            && self.old.record(id).is_some()
        {
            *seen = true;
            self.waiting.push(id);
        }
    }

    fn value(&mut self, value: Value) {
        if let Value::Ref(ObjectId(id)) = value {
            self.id(id);
        }
    }
}

fn put_classes(heap: &Heap, places: &[Option<u32>], out: &mut Vec<u8>) {
    for (class, _) in heap
        .classes()
        .iter()
        .zip(places)
        .filter(|(_, place)| place.is_some())
    {
        let start = out.len();
        let (from, to) = class.row;
        out.extend(heap.bytes().get(from..to).unwrap_or_default());
        // Behind the kind and the name.
        let above = start + 3 + class.name.len();
        let place = class
            .super_class
            .and_then(|above| places.get(above.0 as usize).copied().flatten());
        overwrite(
            out,
            above,
            &place.map_or(0, |place| place + 1).to_le_bytes(),
        );
    }
}
