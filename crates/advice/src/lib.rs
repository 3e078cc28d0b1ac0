//! What a look at the whole program found worth keeping on entry: fields that a method's callees may change before
//! something is thrown, a few references away. `recrash analyze` prepares it, `weave` looks it up while classes are loaded.
//!
//! A class is known by the hash of its bytes, so advice for another version of it is none. Advice adds to what one class
//! alone shows and takes nothing away: where it is old, a load or two are for nothing.
//!
//! Never uses: `std::fs`, `std::process::Command`, `classfile`.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: &[u8; 8] = b"recrashA";
/// Raised whenever the layout changes.
const VERSION: u32 = 1;
/// Magic, version, checksum.
const HEADER: usize = 20;

/// The advice for a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Advice {
    /// Stands for everything that was analysed.
    pub key: u64,
    /// By the hashes of their bytes, in order; what is said of each is unpacked when it is asked for.
    classes: Vec<(u64, Vec<u8>)>,
}

/// What is worth keeping in one method, the best first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodAdvice {
    pub name: String,
    pub descriptor: String,
    pub ways: Vec<Way>,
}

/// From an input by fields to a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Way {
    /// Counts from 0, the receiver included.
    pub input: u16,
    /// The last one is kept.
    pub fields: Vec<Step>,
}

/// A field by the names in the class file.
///
/// Values are read without asking what class the object is of. That is safe whatever has become of the classes since: every
/// object there is of the declared type, or the JVM would not have let it in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Internal name of the type that the input or the field before is declared with; a class above may declare the field.
    pub class: String,
    pub name: String,
    pub descriptor: String,
}

/// How a class is known.
pub fn class_hash(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

impl Advice {
    /// Classes are given by their [hashes](class_hash).
    pub fn new(
        key: u64,
        classes: impl IntoIterator<Item = (u64, Vec<MethodAdvice>)>,
    ) -> postcard::Result<Advice> {
        let mut packed = Vec::new();
        for (hash, methods) in classes {
            packed.push((hash, postcard::to_stdvec(&methods)?));
        }
        packed.sort();
        packed.dedup_by_key(|(hash, _)| *hash);
        Ok(Advice {
            key,
            classes: packed,
        })
    }

    /// The file for the class path that begins with this entry. Programs that begin alike share one: what does not fit them
    /// is not found in it.
    pub fn file(folder: &Path, first_entry: &Path) -> PathBuf {
        let entry = first_entry.canonicalize();
        let entry = entry.as_deref().unwrap_or(first_entry);
        let hash = xxh3_64(entry.as_os_str().as_encoded_bytes());
        folder.join(format!("advice-{hash:016x}.bin"))
    }

    /// The content of the file.
    pub fn encode(&self) -> postcard::Result<Vec<u8>> {
        let content = postcard::to_stdvec(self)?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&xxh3_64(&content).to_le_bytes());
        bytes.extend_from_slice(&content);
        Ok(bytes)
    }

    /// `None` for bytes that are not a whole file of this version.
    pub fn decode(bytes: &[u8]) -> Option<Advice> {
        let (header, content) = bytes.split_at_checked(HEADER)?;
        let (magic, rest) = header.split_at_checked(MAGIC.len())?;
        let (version, checksum) = rest.split_at_checked(4)?;
        let whole = magic == MAGIC
            && version == VERSION.to_le_bytes()
            && checksum == xxh3_64(content).to_le_bytes();
        postcard::from_bytes(content).ok().filter(|_| whole)
    }

    /// How many classes something is said of.
    pub fn classes(&self) -> usize {
        self.classes.len()
    }

    /// What is said of the class with these bytes.
    pub fn of(&self, class: &[u8]) -> Option<Vec<MethodAdvice>> {
        let wanted = class_hash(class);
        let found = self
            .classes
            .binary_search_by_key(&wanted, |(hash, _)| *hash);
        let (_, packed) = self.classes.get(found.ok()?)?;
        postcard::from_bytes(packed).ok()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn advice(name: &str) -> Vec<MethodAdvice> {
        let step = |name: &str| Step {
            class: "a/B".to_owned(),
            name: name.to_owned(),
            descriptor: "La/B;".to_owned(),
        };
        vec![MethodAdvice {
            name: name.to_owned(),
            descriptor: "()V".to_owned(),
            ways: vec![Way {
                input: 1,
                fields: vec![step("next"), step("last")],
            }],
        }]
    }

    #[test]
    fn what_is_said_of_a_class_is_found_by_its_bytes() {
        let classes = (0..9_u8).map(|byte| (class_hash(&[byte]), advice(&format!("m{byte}"))));
        let stored = Advice::new(1, classes).unwrap().encode().unwrap();
        let found = Advice::decode(&stored).unwrap();
        assert_eq!((found.key, found.classes()), (1, 9));
        for byte in 0..9_u8 {
            assert_eq!(found.of(&[byte]), Some(advice(&format!("m{byte}"))));
        }
        assert_eq!(found.of(b"another"), None);
    }

    #[test]
    fn a_damaged_file_is_none() {
        let whole = Advice::new(1, [(7, advice("m"))]).unwrap();
        let bytes = whole.encode().unwrap();
        assert_eq!(Advice::decode(&bytes), Some(whole));
        assert_eq!(Advice::decode(bytes.get(..bytes.len() - 1).unwrap()), None);
        assert_eq!(Advice::decode(b""), None);
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            *damaged.get_mut(place).unwrap() ^= 1;
            assert_eq!(Advice::decode(&damaged), None, "{place}");
        }
    }
}
