//! The layout of `heap.bin`, little-endian throughout.
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

pub const MAGIC: [u8; 4] = *b"RCHP";
pub const VERSION: u32 = 1;
pub const HEADER: usize = 24;

pub const HAS_HASH: u8 = 0x80;

pub mod tag {
    pub const INSTANCE: u8 = 1;
    pub const OBJECT_ARRAY: u8 = 2;
    pub const PRIMITIVE_ARRAY: u8 = 3;
    pub const STRING: u8 = 4;
    pub const BOXED: u8 = 5;
    pub const ENUM: u8 = 6;
    pub const CLASS: u8 = 7;
    pub const WELL_KNOWN: u8 = 8;
    pub const STAND_IN: u8 = 9;
    pub const MEMBER: u8 = 10;
    pub const CUT: u8 = 11;
}

pub mod class_kind {
    pub const PLAIN: u8 = 0;
    pub const ARRAY: u8 = 1;
    pub const LAMBDA: u8 = 2;
    pub const PROXY: u8 = 3;
    pub const OPAQUE: u8 = 4;
}

/// A row of the class table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassIndex(pub u32);

/// Why an object is only represented: its state lives outside the Java heap or belongs to the running JVM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StandInReason {
    CrashingThread,
    OtherThread,
    ThreadGroup,
    ClassLoader,
    Module,
    Logger,
    Stream,
    Socket,
    Channel,
    Process,
    NativeMemory,
    MethodHandle,
    HiddenClass,
    Security,
    Executor,
    JvmInternal,
}

impl StandInReason {
    const ALL: [(u8, Self, &'static str); 16] = [
        (1, Self::CrashingThread, "the thread that failed"),
        (2, Self::OtherThread, "another thread"),
        (3, Self::ThreadGroup, "a thread group"),
        (4, Self::ClassLoader, "a class loader"),
        (5, Self::Module, "a module"),
        (6, Self::Logger, "a logger"),
        (7, Self::Stream, "an open file"),
        (8, Self::Socket, "a socket"),
        (9, Self::Channel, "a channel"),
        (10, Self::Process, "a process"),
        (11, Self::NativeMemory, "native memory"),
        (12, Self::MethodHandle, "a method handle"),
        (13, Self::HiddenClass, "an instance of a hidden class"),
        (14, Self::Security, "a security object of the running JVM"),
        (15, Self::Executor, "a pool of running threads"),
        (
            16,
            Self::JvmInternal,
            "an internal object of the running JVM",
        ),
    ];

    pub(crate) fn from_code(code: u8) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(c, _, _)| *c == code)
            .map(|(_, reason, _)| *reason)
    }

    pub(crate) fn code(self) -> u8 {
        Self::ALL
            .iter()
            .find(|(_, reason, _)| *reason == self)
            .map_or(0, |(code, _, _)| *code)
    }

    /// The reason as a noun phrase for reports.
    pub fn as_str(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(_, reason, _)| *reason == self)
            .map_or("", |(_, _, text)| *text)
    }
}

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
