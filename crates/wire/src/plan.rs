//! The restore plan: what the Java restorer executes to bring one frame's objects back. Little-endian throughout.
//!
//! ```text
//! "RCPL"  u32 version
//! str     the class of the frame's method
//! u32 n   n classes              str name  u32 length  bytes: defined where needed and not known to the test
//! u32 length of the heap part, then the heap part
//! u32 length of the bit set, then one bit per object id (bit 0 of byte 0 is id 0): set for those to restore
//! u16 n   n values               receiver, then the arguments
//! u32 n   n statics              str class  str field  str descriptor  value
//! u32 n   n thread locals        u32 key  u8 inheritable  value
//! u32 n   n patches              u32 object  str class  str field  str descriptor  value
//! value = u8 descriptor character ('L' for references, 0 or an id in the bits)  u64 bits
//! str   = u16 bytes, UTF-8
//! ```
//! The heap part travels as it is: it was checked when the snapshot was read, and copying it costs less than packing it
//! anew. The bit set keeps the restorer from allocating what the frame cannot reach.

use crate::codec::{Malformed, Reader};

pub const MAGIC: [u8; 4] = *b"RCPL";
pub const VERSION: u32 = 1;
const WHAT: &str = "the restore plan";

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan<'a> {
    /// Of the frame's method.
    pub class: &'a str,
    /// Those that travel along, by name.
    pub classes: Vec<(&'a str, &'a [u8])>,
    pub heap: &'a [u8],
    /// Which objects are restored.
    pub needed: &'a [u8],
    /// The receiver, then the arguments.
    pub values: Vec<Value>,
    pub statics: Vec<Field<'a>>,
    pub thread_locals: Vec<ThreadLocal>,
    /// Objects, 0 for static fields, and the values that their fields had on entry.
    pub patches: Vec<(u32, Field<'a>)>,
}

/// A value of the type that a descriptor begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Value {
    pub kind: u8,
    pub bits: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field<'a> {
    pub class: &'a str,
    pub name: &'a str,
    pub descriptor: &'a str,
    pub value: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadLocal {
    pub key: u32,
    pub inheritable: bool,
    pub value: Value,
}

impl<'a> Plan<'a> {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.heap.len() + self.needed.len() + 4096);
        out.extend(MAGIC);
        out.extend(VERSION.to_le_bytes());
        put_str(&mut out, self.class);
        put_count(&mut out, self.classes.len());
        for (name, bytes) in &self.classes {
            put_str(&mut out, name);
            put_bytes(&mut out, bytes);
        }
        put_bytes(&mut out, self.heap);
        put_bytes(&mut out, self.needed);
        out.extend((self.values.len() as u16).to_le_bytes());
        for value in &self.values {
            put_value(&mut out, *value);
        }
        put_count(&mut out, self.statics.len());
        for field in &self.statics {
            put_field(&mut out, field);
        }
        put_count(&mut out, self.thread_locals.len());
        for local in &self.thread_locals {
            out.extend(local.key.to_le_bytes());
            out.push(local.inheritable.into());
            put_value(&mut out, local.value);
        }
        put_count(&mut out, self.patches.len());
        for (object, field) in &self.patches {
            out.extend(object.to_le_bytes());
            put_field(&mut out, field);
        }
        out
    }

    /// What the restorer would read. It takes the heap part on trust, and so does this.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(WHAT, bytes);
        if reader.take(MAGIC.len())? != MAGIC {
            return Err(Malformed::Foreign(WHAT));
        }
        let version = u32::from_le_bytes(reader.array()?);
        reader.expect(version, VERSION)?;
        let plan = Self {
            class: str(&mut reader)?,
            classes: list(&mut reader, |reader| Ok((str(reader)?, sized(reader)?)))?,
            heap: sized(&mut reader)?,
            needed: sized(&mut reader)?,
            values: {
                let count = u16::from_le_bytes(reader.array()?);
                (0..count)
                    .map(|_| value(&mut reader))
                    .collect::<Result<_, _>>()?
            },
            statics: list(&mut reader, field)?,
            thread_locals: list(&mut reader, thread_local)?,
            patches: list(&mut reader, |reader| {
                Ok((u32::from_le_bytes(reader.array()?), field(reader)?))
            })?,
        };
        reader.end()?;
        Ok(plan)
    }
}

fn put_str(out: &mut Vec<u8>, text: &str) {
    // Class and member names are at most 65,535 bytes in a class file (JVMS 4.4.7); a longer one matches nothing.
    let bytes = text.as_bytes();
    let bytes = bytes.get(..usize::from(u16::MAX)).unwrap_or(bytes);
    out.extend((bytes.len() as u16).to_le_bytes());
    out.extend(bytes);
}

fn put_count(out: &mut Vec<u8>, count: usize) {
    out.extend((count as u32).to_le_bytes());
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_count(out, bytes.len());
    out.extend(bytes);
}

fn put_value(out: &mut Vec<u8>, value: Value) {
    out.push(value.kind);
    out.extend(value.bits.to_le_bytes());
}

fn put_field(out: &mut Vec<u8>, field: &Field<'_>) {
    put_str(out, field.class);
    put_str(out, field.name);
    put_str(out, field.descriptor);
    put_value(out, field.value);
}

fn str<'a>(reader: &mut Reader<'a>) -> Result<&'a str, Malformed> {
    let at = reader.at();
    let length = u16::from_le_bytes(reader.array()?);
    std::str::from_utf8(reader.take(length.into())?).map_err(|_| Malformed::NotUtf8 { at })
}

fn sized<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Malformed> {
    let length = u32::from_le_bytes(reader.array()?);
    reader.take(length as usize)
}

/// Grows as it reads: a count alone reserves nothing.
fn list<'a, T>(
    reader: &mut Reader<'a>,
    mut item: impl FnMut(&mut Reader<'a>) -> Result<T, Malformed>,
) -> Result<Vec<T>, Malformed> {
    let count = u32::from_le_bytes(reader.array()?);
    let mut items = Vec::new();
    for _ in 0..count {
        items.push(item(reader)?);
    }
    Ok(items)
}

fn value(reader: &mut Reader<'_>) -> Result<Value, Malformed> {
    Ok(Value {
        kind: reader.byte()?,
        bits: u64::from_le_bytes(reader.array()?),
    })
}

fn field<'a>(reader: &mut Reader<'a>) -> Result<Field<'a>, Malformed> {
    Ok(Field {
        class: str(reader)?,
        name: str(reader)?,
        descriptor: str(reader)?,
        value: value(reader)?,
    })
}

fn thread_local(reader: &mut Reader<'_>) -> Result<ThreadLocal, Malformed> {
    Ok(ThreadLocal {
        key: u32::from_le_bytes(reader.array()?),
        inheritable: reader.byte()? != 0,
        value: value(reader)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value() -> impl Strategy<Value = Value> {
        (any::<u8>(), any::<u64>()).prop_map(|(kind, bits)| Value { kind, bits })
    }

    proptest! {
        #[test]
        fn a_plan_is_read_as_it_was_written(
            names in prop::collection::vec(".{0,12}", 4),
            heap in prop::collection::vec(any::<u8>(), 0..64),
            values in prop::collection::vec(value(), 0..5),
            fields in prop::collection::vec((any::<u32>(), value(), any::<bool>()), 0..5),
        ) {
            let field = |value| Field { class: &names[0], name: &names[1], descriptor: &names[2], value };
            let plan = Plan {
                class: &names[3],
                classes: vec![(&names[0], &heap)],
                heap: &heap,
                needed: &heap,
                values,
                statics: fields.iter().map(|(_, value, _)| field(*value)).collect(),
                thread_locals: fields
                    .iter()
                    .map(|(key, value, inheritable)| ThreadLocal { key: *key, inheritable: *inheritable, value: *value })
                    .collect(),
                patches: fields.iter().map(|(object, value, _)| (*object, field(*value))).collect(),
            };
            let bytes = plan.encode();
            prop_assert_eq!(Plan::decode(&bytes), Ok(plan));
            for end in 0..bytes.len() {
                prop_assert!(Plan::decode(&bytes[..end]).is_err());
            }
        }
    }

    #[test]
    fn a_plan_of_another_version_is_told_in_one_line() {
        let mut bytes = Plan::default().encode();
        bytes[4] = 9;
        assert_eq!(
            Plan::decode(&bytes).unwrap_err().to_string(),
            "the restore plan has version 9, this side reads version 1: they come from different builds of recrash"
        );
        assert!(matches!(
            Plan::decode(b"RCPX\x01\0\0\0"),
            Err(Malformed::Foreign(_))
        ));
    }
}
