//! What a look at the whole program found worth keeping on entry: fields that a method's callees may change before
//! something is thrown, a few references away. Prepared ahead (`recrash analyze`), looked up while classes are loaded.
//!
//! A class is known by the hash of its bytes, so advice for another version of it is none. Advice adds to what one class
//! alone shows and takes nothing away: where it is old, a load or two are for nothing.

use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::packed::{Pack, Unpacker};

const MAGIC: &[u8; 8] = b"recrashA";
const VERSION: u32 = 1;
/// Magic, version, checksum.
const HEADER: usize = 20;
/// A hash and where what is said of the class starts.
const ENTRY: usize = 12;

/// The advice for a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// Of what was analysed, see [`Advice::encode`].
    pub key: u64,
    /// The number of classes, their hashes in order with places in the rest, and the rest.
    bytes: Vec<u8>,
}

/// What is worth keeping in one method, the best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodAdvice {
    pub name: String,
    pub descriptor: String,
    pub ways: Vec<Way>,
}

/// From an input by fields to a field.
///
/// Whoever gives it vouches that each field is one of the type that the input or the field before is declared with: values
/// are read without asking what class the object is of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Way {
    /// Counts from 0, the receiver included.
    pub input: u16,
    /// The last one is kept.
    pub fields: Vec<Step>,
}

/// A field by the names in the class file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    /// Internal name of the class that declares it.
    pub class: String,
    pub name: String,
    pub descriptor: String,
}

impl Advice {
    /// The file for the class path that begins with this entry. Programs that begin alike share one: what does not fit them
    /// is not found in it.
    pub fn file(folder: &Path, first_entry: &Path) -> PathBuf {
        let entry = first_entry
            .canonicalize()
            .unwrap_or_else(|_| first_entry.to_owned());
        let hash = xxh3_64(entry.as_os_str().as_encoded_bytes());
        folder.join(format!("advice-{hash:016x}.bin"))
    }

    /// The content of a file. `key` stands for everything that was analysed; classes are given by the hashes of their bytes.
    pub fn encode(key: u64, mut classes: Vec<(u64, Vec<MethodAdvice>)>) -> Vec<u8> {
        classes.sort_by_key(|(hash, _)| *hash);
        classes.dedup_by_key(|(hash, _)| *hash);
        let mut content = key.to_le_bytes().to_vec();
        content.extend_from_slice(&(classes.len() as u32).to_le_bytes());
        let mut rest = Vec::new();
        for (hash, methods) in &classes {
            content.extend_from_slice(&hash.to_le_bytes());
            content.extend_from_slice(&(rest.len() as u32).to_le_bytes());
            pack(methods, &mut rest);
        }
        content.extend_from_slice(&rest);
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&xxh3_64(&content).to_le_bytes());
        bytes.extend_from_slice(&content);
        bytes
    }

    /// `None` for bytes that are not a whole file of this version.
    pub fn decode(bytes: &[u8]) -> Option<Advice> {
        let mut header = Unpacker { rest: bytes };
        let whole = header.take(8)? == MAGIC
            && header.long_number()? == VERSION
            && header.hash()? == xxh3_64(bytes.get(HEADER..)?);
        let key = header.hash()?;
        whole.then(|| Advice {
            key,
            bytes: header.rest.to_vec(),
        })
    }

    /// How many classes something is said of.
    pub fn classes(&self) -> usize {
        let mut bytes = Unpacker { rest: &self.bytes };
        bytes.long_number().unwrap_or(0) as usize
    }

    /// What is said of the class with these bytes.
    pub(crate) fn of(&self, class: &[u8]) -> Option<Vec<MethodAdvice>> {
        self.find(xxh3_64(class))
    }

    fn find(&self, wanted: u64) -> Option<Vec<MethodAdvice>> {
        let classes = self.classes();
        let entry = |number: usize| {
            let mut at = Unpacker {
                rest: self.bytes.get(4 + number * ENTRY..)?,
            };
            Some((at.hash()?, at.long_number()?))
        };
        let (mut from, mut to) = (0, classes);
        while from < to {
            let middle = usize::midpoint(from, to);
            if entry(middle)?.0 < wanted {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        let (hash, start) = entry(from).filter(|_| from < classes)?;
        let start = 4 + classes * ENTRY + start as usize;
        let rest = self.bytes.get(start..).filter(|_| hash == wanted)?;
        unpack(&mut Unpacker { rest })
    }
}

fn pack(methods: &[MethodAdvice], out: &mut Vec<u8>) {
    out.pack_number(methods.len() as u16);
    for method in methods {
        out.pack(method.name.as_bytes());
        out.pack(method.descriptor.as_bytes());
        out.pack_number(method.ways.len() as u16);
        for way in &method.ways {
            out.pack_number(way.input);
            out.pack_number(way.fields.len() as u16);
            for step in &way.fields {
                for part in [&step.class, &step.name, &step.descriptor] {
                    out.pack(part.as_bytes());
                }
            }
        }
    }
}

fn unpack(packed: &mut Unpacker<'_>) -> Option<Vec<MethodAdvice>> {
    let mut methods = Vec::new();
    for _ in 0..packed.number()? {
        let (name, descriptor) = (packed.text()?, packed.text()?);
        let mut ways = Vec::new();
        for _ in 0..packed.number()? {
            let input = packed.number()?;
            let mut fields = Vec::new();
            for _ in 0..packed.number()? {
                fields.push(Step {
                    class: packed.text()?,
                    name: packed.text()?,
                    descriptor: packed.text()?,
                });
            }
            ways.push(Way { input, fields });
        }
        methods.push(MethodAdvice {
            name,
            descriptor,
            ways,
        });
    }
    Some(methods)
}

#[cfg(test)]
mod tests {
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
        let classes: Vec<(u64, Vec<MethodAdvice>)> = (0..9_u8)
            .map(|byte| (xxh3_64(&[byte]), advice(&format!("m{byte}"))))
            .collect();
        let found = Advice::decode(&Advice::encode(1, classes)).unwrap();
        assert_eq!((found.key, found.classes()), (1, 9));
        for byte in 0..9_u8 {
            assert_eq!(found.of(&[byte]), Some(advice(&format!("m{byte}"))));
        }
        assert_eq!(found.of(b"another"), None);
    }

    #[test]
    fn a_damaged_file_is_none() {
        let bytes = Advice::encode(1, vec![(7, advice("m"))]);
        assert!(Advice::decode(&bytes).is_some());
        assert!(Advice::decode(bytes.get(..bytes.len() - 1).unwrap()).is_none());
        assert!(Advice::decode(b"").is_none());
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            *damaged.get_mut(place).unwrap() ^= 1;
            assert_eq!(Advice::decode(&damaged), None, "{place}");
        }
    }
}
