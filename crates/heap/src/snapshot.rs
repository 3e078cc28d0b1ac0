//! The `.recrash` container: a zip with `manifest.json` and `heap.bin`, written so that a reader never sees half of one.
//! Classes that were made at run time are `classes/<name>.class`; what else there may be is in `crash.rs`.

use crate::carried::{self, CarriedClass};
use crate::container::{Limits, io, named_entry, open, write_file};
use crate::error::Error;
use crate::heap::Heap;
use crate::manifest::{self, Cause, Manifest, ObjectId, Value};
use std::fs::File;
use std::io::{BufReader, Read, Seek, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

const MANIFEST: &str = "manifest.json";
const HEAP: &str = "heap.bin";

/// A failure, whole: what was said about it and the objects involved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    pub manifest: Manifest,
    pub heap: Heap,
    /// The classes involved that the program made itself; a super class stands before its sub classes.
    pub classes: Vec<CarriedClass>,
}

impl Snapshot {
    pub fn read(path: &Path) -> Result<Self, Error> {
        Self::read_within(path, &Limits::default())
    }

    pub fn read_within(path: &Path, limits: &Limits) -> Result<Self, Error> {
        let file = File::open(path).map_err(|error| io(path, &error))?;
        Self::read_from(BufReader::new(file), path, limits)
    }

    /// Reads a snapshot from any seekable source; `path` only names it in errors.
    pub fn read_from(
        source: impl Read + Seek,
        path: &Path,
        limits: &Limits,
    ) -> Result<Self, Error> {
        Self::from_archive(&mut open(source, path, limits)?, path, limits)
    }

    pub(crate) fn from_archive(
        archive: &mut ZipArchive<impl Read + Seek>,
        path: &Path,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let json = named_entry(archive, path, MANIFEST, limits.manifest_bytes)?;
        let manifest = parse_manifest(&json, path)?;
        let bytes = named_entry(archive, path, HEAP, limits.heap_bytes)?;
        let heap = Heap::parse(bytes, limits.objects)?;
        check_roots(&manifest, heap.len())?;
        let classes = carried::read(archive, path, limits)?;
        Ok(Self {
            manifest,
            heap,
            classes,
        })
    }

    pub fn write(&self, path: &Path) -> Result<(), Error> {
        write_parts(path, &self.manifest, &[self.heap.bytes()], &self.classes)
    }
}

/// Writes a snapshot from its parts; `heap` is the heap part in pieces, as the walker delivers it.
///
/// The file appears under its name only when every byte is on the disk; on any error nothing is left behind.
pub fn write_parts(
    path: &Path,
    manifest: &Manifest,
    heap: &[&[u8]],
    classes: &[CarriedClass],
) -> Result<(), Error> {
    write_file(path, |zip| fill(zip, manifest, heap, classes))
}

/// Puts the parts of a snapshot into a zip.
pub(crate) fn fill(
    zip: &mut ZipWriter<impl Write + Seek>,
    manifest: &Manifest,
    heap: &[&[u8]],
    classes: &[CarriedClass],
) -> std::io::Result<()> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(1))
        .large_file(true);
    zip.start_file(MANIFEST, options)?;
    zip.write_all(&serde_json::to_vec(manifest)?)?;
    zip.start_file(HEAP, options)?;
    for piece in heap {
        zip.write_all(piece)?;
    }
    for class in classes {
        zip.start_file(class.entry_name(), options)?;
        zip.write_all(&class.bytes)?;
    }
    Ok(())
}

fn parse_manifest(json: &[u8], path: &Path) -> Result<Manifest, Error> {
    /// Read first, so that a newer format is named as such and not as a missing field.
    #[derive(serde::Deserialize)]
    struct Version {
        format: u32,
        cause: Option<serde::de::IgnoredAny>,
    }
    let damaged = |error: serde_json::Error| Error::Damaged {
        path: path.to_owned(),
        part: MANIFEST,
        reason: error.to_string(),
    };
    let version: Version = serde_json::from_slice(json).map_err(damaged)?;
    if version.format > manifest::FORMAT {
        return Err(Error::NewerFormat {
            found: version.format,
            supported: manifest::FORMAT,
        });
    }
    let mut manifest: Manifest = serde_json::from_slice(json).map_err(damaged)?;
    let first = manifest.throwables.first();
    if version.cause.is_none() && first.is_some_and(|thrown| thrown.label().is_some()) {
        manifest.cause = Cause::Point;
    }
    Ok(manifest)
}

fn check_roots(manifest: &Manifest, objects: u32) -> Result<(), Error> {
    let check = |place, id: ObjectId| {
        if id.0 > objects {
            return Err(Error::DanglingRoot {
                place,
                target: id.0,
                objects,
            });
        }
        Ok(())
    };
    let value = |place, value: &Value| match value {
        Value::Ref(id) => check(place, *id),
        _ => Ok(()),
    };
    for throwable in &manifest.throwables {
        check("throwable", throwable.object)?;
    }
    for frame in manifest.frames.iter().filter_map(|f| f.captured.as_ref()) {
        value("receiver", &frame.receiver)?;
        for argument in &frame.arguments {
            value("argument", &argument.value)?;
        }
        for patch in &frame.patches {
            check("patch", patch.object)?;
            value("patch", &patch.value)?;
        }
    }
    for field in &manifest.statics {
        value("static field", &field.value)?;
    }
    for local in &manifest.thread_locals {
        check("thread local", local.key)?;
        value("thread local", &local.value)?;
    }
    Ok(())
}
