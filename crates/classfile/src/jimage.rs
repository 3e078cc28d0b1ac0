//! The JDK's own classes: the jimage file `lib/modules`.
//!
//! A header, two tables and a heap of strings come first, resources follow. Numbers are in the byte order of the machine
//! the image was made for. Only the index is kept in memory; resources are read where they lie.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::{Budget, Error};

const MAGIC: u32 = 0xcafe_dada;
const HEADER: usize = 28;
/// An index larger than this is none: that of a whole JDK takes three megabytes.
const LARGEST_INDEX: usize = 256 << 20;

/// The classes of a jimage file, by internal name.
#[derive(Debug)]
pub struct JImage {
    path: PathBuf,
    file: File,
    resources_at: u64,
    classes: HashMap<Box<[u8]>, Resource>,
}

#[derive(Debug, Clone, Copy)]
struct Resource {
    offset: u64,
    compressed: u64,
    size: u64,
}

impl JImage {
    pub fn open(path: &Path) -> Result<JImage, Error> {
        let unreadable = |detail: &dyn std::fmt::Display| Error::Unreadable {
            path: path.display().to_string(),
            detail: detail.to_string(),
        };
        let mut file = File::open(path).map_err(|defect| unreadable(&defect))?;
        let mut header = [0; HEADER];
        file.read_exact(&mut header)
            .map_err(|defect| unreadable(&defect))?;
        let word = |index: usize| Words(&header).at(index).unwrap_or(0);
        if word(0) != MAGIC {
            return Err(unreadable(
                &"not the image of a JDK: it does not start with 0xcafedada",
            ));
        }
        let (slots, locations, strings) = (word(4) as usize, word(5) as usize, word(6) as usize);
        let size = slots
            .saturating_mul(8)
            .saturating_add(locations)
            .saturating_add(strings);
        if size > LARGEST_INDEX {
            return Err(Error::OverBudget {
                path: path.display().to_string(),
                what: "its index".to_owned(),
                limit: LARGEST_INDEX as u64,
            });
        }
        let mut index = vec![0; size];
        file.read_exact(&mut index)
            .map_err(|defect| unreadable(&defect))?;
        let classes =
            classes(&index, slots, locations).ok_or_else(|| unreadable(&"its index is damaged"))?;
        Ok(JImage {
            path: path.to_owned(),
            file,
            resources_at: (HEADER + size) as u64,
            classes,
        })
    }

    /// Internal names of all classes, in no order.
    pub fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.classes.keys().map(|name| &**name)
    }

    pub fn contains(&self, name: &[u8]) -> bool {
        self.classes.contains_key(name)
    }

    /// The class with this internal name.
    pub fn read(&self, name: &[u8], budget: Budget) -> Result<Option<Vec<u8>>, Error> {
        let Some(resource) = self.classes.get(name) else {
            return Ok(None);
        };
        let what = || crate::text(name);
        if resource.compressed != 0 {
            return Err(Error::Unreadable {
                path: self.path.display().to_string(),
                detail: format!(
                    "{} is compressed (jlink --compress); use an image without",
                    what()
                ),
            });
        }
        if resource.size > budget.entry_bytes {
            return Err(Error::OverBudget {
                path: self.path.display().to_string(),
                what: what(),
                limit: budget.entry_bytes,
            });
        }
        let mut bytes = vec![0; resource.size as usize];
        self.file
            .read_exact_at(
                &mut bytes,
                self.resources_at.saturating_add(resource.offset),
            )
            .map_err(|defect| Error::Unreadable {
                path: self.path.display().to_string(),
                detail: format!("{}: {defect}", what()),
            })?;
        Ok(Some(bytes))
    }
}

/// Words in the byte order of this machine, whose JDK it is.
struct Words<'a>(&'a [u8]);

impl Words<'_> {
    fn at(&self, index: usize) -> Option<u32> {
        let bytes = self.0.get(index * 4..index * 4 + 4)?;
        Some(u32::from_ne_bytes(bytes.try_into().ok()?))
    }
}

/// After the redirect table, of no use to a reader that wants all, the index lists where each location is described.
fn classes(index: &[u8], slots: usize, locations: usize) -> Option<HashMap<Box<[u8]>, Resource>> {
    let offsets = Words(index.get(slots * 4..slots * 8)?);
    let described = index.get(slots * 8..slots * 8 + locations)?;
    let strings = index.get(slots * 8 + locations..)?;
    let mut classes = HashMap::with_capacity(slots);
    for slot in 0..slots {
        let location = Location::read(described.get(offsets.at(slot)? as usize..)?)?;
        let string = |at: u64| {
            let rest = strings.get(at as usize..)?;
            rest.get(..rest.iter().position(|&byte| byte == 0)?)
        };
        let base = string(location.base)?;
        if string(location.extension)? != b"class" || base == b"module-info" {
            continue;
        }
        let parent = string(location.parent)?;
        let mut name = Vec::with_capacity(parent.len() + 1 + base.len());
        if !parent.is_empty() {
            name.extend_from_slice(parent);
            name.push(b'/');
        }
        name.extend_from_slice(base);
        classes.insert(name.into_boxed_slice(), location.resource);
    }
    Some(classes)
}

struct Location {
    parent: u64,
    base: u64,
    extension: u64,
    resource: Resource,
}

impl Location {
    /// Attributes: a byte with kind and length, then a big-endian number; kind 0 ends.
    fn read(mut bytes: &[u8]) -> Option<Location> {
        let mut values = [0_u64; 8];
        loop {
            let (&head, rest) = bytes.split_first()?;
            let kind = usize::from(head >> 3);
            if kind == 0 {
                break;
            }
            let (number, rest) = rest.split_at_checked(usize::from(head & 7) + 1)?;
            *values.get_mut(kind)? = number
                .iter()
                .fold(0, |value, &byte| (value << 8) | u64::from(byte));
            bytes = rest;
        }
        let [_, _, parent, base, extension, offset, compressed, size] = values;
        Some(Location {
            parent,
            base,
            extension,
            resource: Resource {
                offset,
                compressed,
                size,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_an_image_is_refused_by_name() {
        let file = std::env::temp_dir().join(format!("recrash-jimage-{}", std::process::id()));
        for (content, detail) in [
            (b"PK\x03\x04".to_vec(), "failed to fill whole buffer"),
            (vec![7; 64], "not the image of a JDK"),
            (
                [MAGIC, 1, 0, 9, 9, 80, 80].map(u32::to_ne_bytes).concat(),
                "failed to fill whole buffer",
            ),
            (
                [&[MAGIC, 1, 0, 1, 1, 4, 4][..], &[9; 4]]
                    .concat()
                    .iter()
                    .flat_map(|word| word.to_ne_bytes())
                    .collect(),
                "its index is damaged",
            ),
        ] {
            std::fs::write(&file, content).unwrap();
            let error = JImage::open(&file).unwrap_err().to_string();
            assert!(error.contains(detail), "{error}");
            assert!(error.starts_with(&file.display().to_string()), "{error}");
        }
        std::fs::remove_file(&file).unwrap();
    }
}
