//! The layout of `heap.bin`, little-endian throughout. Its numbers are declared in `wire`, for the Java side, too.
//!
//! ```text
//! header   "RCHP"  u32 version  u32 classes  u32 objects  u32 bytes of the class section  u32 zero
//! classes  one entry after the other; a super class stands before its sub classes:
//!          u8 kind  str name  u32 super+1 (0: none)  u16 fields  { str name  str descriptor }*  then by kind:
//!            lambda: str host  u8 n  str interface*n  str method  str descriptor
//!                    u8 reference kind  str owner  str name  str descriptor
//!            proxy:  u16 n  str interface*n
//! objects  records of the objects 1, 2, …:
//!          u8 tag, bit 7 set when an identity hash follows  u32 class  [u32 hash]  then by tag:
//!            instance       fields, those of the topmost super class first, in table order
//!            object array   u32 length  u32 id*length
//!            primitive array  u32 length  raw elements
//!            string         u8 coder (0 Latin-1, 1 UTF-16; 2 and 3: the same, interned)  u32 bytes  bytes
//!            boxed          u64 bits of a value from the class's cache
//!            enum           str constant  fields as of an instance
//!            class          str name
//!            well-known     u32 declaring class  str field
//!            stand-in       u8 reason  str text
//!            member         u8 made accessible  str owner  str name  str descriptor
//!            cut            nothing
//! str      u16 bytes, UTF-8
//! ```
//! Records are self-delimiting, so a reader indexes them in one pass; nothing nests, so no input makes it recurse.

use crate::error::Error;
pub use recrash_wire::heap::{HAS_HASH, HEADER, MAGIC, StandInReason, VERSION, class_kind, tag};

/// A row of the class table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassIndex(pub u32);

/// Bytes of a field or element with this descriptor; `None` for what is no field descriptor.
pub fn width(descriptor: &str) -> Option<u32> {
    match descriptor.as_bytes().first()? {
        b'Z' | b'B' => Some(1),
        b'C' | b'S' => Some(2),
        b'I' | b'F' | b'L' | b'[' => Some(4),
        b'J' | b'D' => Some(8),
        _ => None,
    }
}

/// A bounds-checked position in the heap part.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    pub fn position(&self) -> usize {
        self.at
    }

    pub fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], Error> {
        let taken = self
            .at
            .checked_add(count)
            .and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or(Error::Truncated {
            at: self.bytes.len() as u64,
            what,
        })?;
        self.at += count;
        Ok(taken)
    }

    pub fn u8(&mut self, what: &'static str) -> Result<u8, Error> {
        Ok(self.take(1, what)?.first().copied().unwrap_or_default())
    }

    pub fn u16(&mut self, what: &'static str) -> Result<u16, Error> {
        let bytes = self.take(2, what)?;
        Ok(u16::from_le_bytes(bytes.try_into().unwrap_or_default()))
    }

    pub fn u32(&mut self, what: &'static str) -> Result<u32, Error> {
        let bytes = self.take(4, what)?;
        Ok(u32::from_le_bytes(bytes.try_into().unwrap_or_default()))
    }

    pub fn u64(&mut self, what: &'static str) -> Result<u64, Error> {
        let bytes = self.take(8, what)?;
        Ok(u64::from_le_bytes(bytes.try_into().unwrap_or_default()))
    }

    pub fn str(&mut self, what: &'static str) -> Result<&'a str, Error> {
        let length = self.u16(what)?;
        let at = self.at as u64;
        let bytes = self.take(length.into(), what)?;
        std::str::from_utf8(bytes).map_err(|_| Error::NotUtf8 { at })
    }
}
