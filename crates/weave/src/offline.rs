//! Classes woven ahead of time, which may run in a JVM without the recorder.
//!
//! Their handlers sleep: they catch a type that nothing throws, so such a class behaves as it did before, needs no class
//! of ours and costs nothing. [`adopt`] wakes them by one change of the constant pool while the class is loaded. Classes
//! that start the recorder are on the stack when it comes up, and a class that is changed then loses its line numbers:
//! their handlers are awake from the start, and throw the exception on when they do not find the recorder. What the site
//! ids mean travels inside the class, as constants: other attributes are lost when the JVM itself gives a
//! class file back, and a file beside it is lost when somebody repacks the jar.

use recrash_classfile::{ClassFile, ConstantPool, Error, PoolAppender};
use xxhash_rust::xxh3::xxh3_64;

use crate::site::table::SiteTable;

/// In every JVM, for every class loader, and thrown by nothing: HotSpot has no unknown errors. Should a program throw one
/// itself, the handler runs, fails to find the recorder and throws it on.
const NEVER_THROWN: &[u8] = b"java/lang/UnknownError";
const AWAKE: &[u8] = b"java/lang/Throwable";

/// Starts the constants that hold the sites.
const MARK: &[u8] = b"recrash woven offline 1:";

/// Every byte becomes a character of one or two bytes, and a constant has 65,535 bytes at most.
const PIECE: usize = 32_000;

/// The constants that a sleeping class starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sleep {
    /// The Class entry that sleeping handlers catch.
    pub(crate) class: u16,
    /// The Utf8 entry that it must name to wake them.
    awake: u16,
}

impl Sleep {
    pub(crate) fn prepare(pool: &mut PoolAppender<'_>) -> Result<Self, Error> {
        Ok(Sleep {
            class: pool.new_class(NEVER_THROWN)?,
            awake: pool.new_utf8(AWAKE)?,
        })
    }
}

/// A class that was woven offline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adopted {
    pub sites: SiteTable,
    /// Of the class file before it was woven.
    pub hash: u64,
    pub waking: Waking,
}

/// What it takes to wake the handlers of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Waking {
    /// They are awake.
    Done,
    /// These bytes instead.
    Bytes(Vec<u8>),
    /// Other bytes, which only [`adopt`] knows.
    Needed,
}

/// Adds what [`adopt`] needs.
pub(crate) fn keep(
    original: &[u8],
    sites: &SiteTable,
    sleep: Option<Sleep>,
    pool: &mut PoolAppender<'_>,
) -> Result<(), Error> {
    // No constant has the number 0.
    let (class, awake) = sleep.map_or((0, 0), |sleep| (sleep.class, sleep.awake));
    let mut record = Vec::new();
    record.extend_from_slice(&xxh3_64(original).to_le_bytes());
    record.extend_from_slice(&class.to_le_bytes());
    record.extend_from_slice(&awake.to_le_bytes());
    record.extend_from_slice(&sites.to_bytes());
    for piece in record.chunks(PIECE) {
        pool.new_utf8(&as_text(piece))?;
    }
    Ok(())
}

/// Wakes the handlers of a class that was woven offline; `None` for any other class.
pub fn adopt(class: &[u8]) -> Option<Adopted> {
    let class = ClassFile::read(class).ok()?;
    let record = Record::of(&class.pool)?;
    let mut adopted = record.adopted(class.name)?;
    if let Some(sleep) = record.sleep {
        let woken = class.pool.renaming_class(sleep.class, sleep.awake);
        adopted.waking = Waking::Bytes(woken.ok()?);
    }
    Some(adopted)
}

/// As [`adopt`], for a class that is loaded already, of which only name (internal) and constants are known: their number
/// and what follows it in a class file.
pub fn adopt_loaded(class: &str, constants: &[u8]) -> Option<Adopted> {
    let pool = ConstantPool::from_bytes(constants).ok()?;
    Record::of(&pool)?.adopted(class.as_bytes())
}

/// The identity of a class: of the file as it was before weaving, where that was done offline.
pub fn class_hash(bytes: &[u8]) -> u64 {
    let woven = ClassFile::read(bytes)
        .ok()
        .and_then(|class| Some(Record::of(&class.pool)?.hash));
    woven.unwrap_or_else(|| xxh3_64(bytes))
}

struct Record {
    hash: u64,
    sleep: Option<Sleep>,
    sites: Vec<u8>,
}

impl Record {
    fn of(pool: &ConstantPool<'_>) -> Option<Self> {
        let mut bytes = Vec::new();
        for index in 1..pool.count() {
            let text = pool.utf8(index).unwrap_or_default();
            if let Some(piece) = text.strip_prefix(MARK) {
                bytes.extend(from_text(piece));
            }
        }
        let (hash, rest) = bytes.split_first_chunk::<8>()?;
        let (class, rest) = rest.split_first_chunk::<2>()?;
        let (awake, sites) = rest.split_first_chunk::<2>()?;
        let sleep = Sleep {
            class: u16::from_le_bytes(*class),
            awake: u16::from_le_bytes(*awake),
        };
        Some(Record {
            hash: u64::from_le_bytes(*hash),
            sleep: (sleep.class != 0).then_some(sleep),
            sites: sites.to_vec(),
        })
    }

    fn adopted(&self, class: &[u8]) -> Option<Adopted> {
        Some(Adopted {
            sites: SiteTable::from_bytes(class, &self.sites)?,
            hash: self.hash,
            waking: match self.sleep {
                Some(_) => Waking::Needed,
                None => Waking::Done,
            },
        })
    }
}

/// One character per byte, as modified UTF-8 (JVMS 4.4.7), which has no zero byte.
fn as_text(bytes: &[u8]) -> Vec<u8> {
    let mut text = MARK.to_vec();
    for &byte in bytes {
        match byte {
            1..=0x7f => text.push(byte),
            _ => text.extend_from_slice(&[0xc0 | (byte >> 6), 0x80 | (byte & 0x3f)]),
        }
    }
    text
}

fn from_text(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.iter();
    while let Some(&first) = rest.next() {
        bytes.push(match first {
            0xc0..=0xc3 => (first << 6) | (rest.next().copied().unwrap_or(0) & 0x3f),
            _ => first,
        });
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_as_text() {
        let bytes: Vec<u8> = (0..=255).collect();
        let text = as_text(&bytes);
        assert!(!text.contains(&0));
        assert_eq!(from_text(text.strip_prefix(MARK).unwrap()), bytes);
    }
}
