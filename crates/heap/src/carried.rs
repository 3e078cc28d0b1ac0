//! Classes that travel with a snapshot: those that the program made at run time, which no jar contains.
//!
//! They are entries `classes/<binary name>.class` of the container. Here they are bytes with a name: nothing reads, let
//! alone defines them but the JVM of a test that restores a frame.

use crate::container::{Limits, entry};
use crate::error::Error;
use std::io::{Read, Seek};
use std::path::Path;
use zip::ZipArchive;

const FOLDER: &str = "classes/";
const END: &str = ".class";
const PART: &str = "its classes";

/// A class file as the program made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarriedClass {
    /// Binary name with dots.
    pub name: String,
    pub bytes: Vec<u8>,
}

impl CarriedClass {
    pub(crate) fn entry_name(&self) -> String {
        format!("{FOLDER}{}{END}", self.name)
    }
}

/// The class that an entry of the container holds, `None` for other entries.
fn class_of(entry: &str) -> Option<&str> {
    let name = entry.strip_prefix(FOLDER)?.strip_suffix(END)?;
    (!name.is_empty() && !name.contains('/')).then_some(name)
}

/// In the order of the container, where super classes stand before their sub classes.
pub(crate) fn read(
    archive: &mut ZipArchive<impl Read + Seek>,
    path: &Path,
    limits: &Limits,
) -> Result<Vec<CarriedClass>, Error> {
    let mut classes = Vec::new();
    let mut rest = limits.class_bytes;
    for index in 0..archive.len() {
        let Some(name) = archive.name_for_index(index).and_then(class_of) else {
            continue;
        };
        let name = name.to_owned();
        let bytes = entry(archive, path, index, PART, rest)?;
        rest -= bytes.len() as u64;
        classes.push(CarriedClass { name, bytes });
    }
    Ok(classes)
}
