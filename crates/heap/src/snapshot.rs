//! The `.recrash` container: a zip with `manifest.json` and `heap.bin`, written so that a reader never sees half of one.
//! Classes that were made at run time are `classes/<name>.class`; what else there may be is in `crash.rs`.

use crate::carried::{self, CarriedClass};
use crate::error::Error;
use crate::heap::Heap;
use crate::manifest::{self, Cause, Manifest, ObjectId, Value};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
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

/// How much of a stranger's file is read before it is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub entries: usize,
    pub manifest_bytes: u64,
    pub heap_bytes: u64,
    pub objects: u32,
    /// Of all the classes that travel with it.
    pub class_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            entries: 2_000,
            manifest_bytes: 256 << 20,
            heap_bytes: 1200 << 20,
            objects: 50_000_000,
            class_bytes: 64 << 20,
        }
    }
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

/// A file whose first failure is kept for the end: a `ZipWriter` dropped after a failed write prints to standard
/// error, which is the captured program's and not ours.
pub(crate) struct Quiet<'a> {
    file: &'a File,
    failure: Option<std::io::Error>,
}

impl<'a> Quiet<'a> {
    fn new(file: &'a File) -> Self {
        Self {
            file,
            failure: None,
        }
    }

    fn outcome(self) -> std::io::Result<()> {
        self.failure.map_or(Ok(()), Err)
    }
}

impl Write for Quiet<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.failure.is_none() {
            self.failure = self.file.write_all(bytes).err();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Seek for Quiet<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.file.seek(to)
    }
}

/// Fills a zip under a temporary name, syncs it and gives it its name.
pub(crate) fn write_file(
    path: &Path,
    fill: impl FnOnce(&mut ZipWriter<BufWriter<&mut Quiet<'_>>>) -> Result<(), std::io::Error>,
) -> Result<(), Error> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let temporary = tempfile::Builder::new()
        .prefix(&format!(".recrash-{}-", std::process::id()))
        .suffix(".part")
        .tempfile_in(folder)
        .map_err(|error| io(path, &error))?;
    let written = || -> Result<(), std::io::Error> {
        let mut target = Quiet::new(temporary.as_file());
        let mut zip = ZipWriter::new(BufWriter::with_capacity(1 << 16, &mut target));
        fill(&mut zip)?;
        zip.finish()?.flush()?;
        target.outcome()?;
        temporary.as_file().sync_all()
    };
    written().map_err(|error| io(path, &error))?;
    temporary
        .persist(path)
        .map_err(|error| io(path, &error.error))?;
    sync_folder(folder).map_err(|error| io(path, &error))
}

/// Makes the rename itself survive a power cut.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> std::io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> std::io::Result<()> {
    Ok(())
}

pub(crate) fn open<S: Read + Seek>(
    source: S,
    path: &Path,
    limits: &Limits,
) -> Result<ZipArchive<S>, Error> {
    let archive = ZipArchive::new(source).map_err(|error| Error::NotASnapshot {
        path: path.to_owned(),
        reason: error.to_string(),
    })?;
    if archive.len() > limits.entries {
        return Err(Error::OverLimit {
            part: "the file",
            unit: "entries",
            found: archive.len() as u64,
            limit: limits.entries as u64,
        });
    }
    Ok(archive)
}

fn named_entry(
    archive: &mut ZipArchive<impl Read + Seek>,
    path: &Path,
    name: &'static str,
    limit: u64,
) -> Result<Vec<u8>, Error> {
    let index = archive
        .index_for_name(name)
        .ok_or_else(|| Error::NotASnapshot {
            path: path.to_owned(),
            reason: format!("it has no {name}"),
        })?;
    entry(archive, path, index, name, limit)
}

/// The bytes of the entry at `index`, which errors call `name`.
pub(crate) fn entry(
    archive: &mut ZipArchive<impl Read + Seek>,
    path: &Path,
    index: usize,
    name: &'static str,
    limit: u64,
) -> Result<Vec<u8>, Error> {
    let file = archive
        .by_index(index)
        .map_err(|error| Error::NotASnapshot {
            path: path.to_owned(),
            reason: format!("{name}: {error}"),
        })?;
    let over = |found| Error::OverLimit {
        part: name,
        unit: "bytes",
        found,
        limit,
    };
    let size = file.size();
    if size > limit {
        return Err(over(size));
    }
    // The declared size is the stranger's word: neither reserve it whole nor read beyond the limit.
    let mut bytes = Vec::with_capacity(size.min(64 << 20) as usize);
    file.take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Error::Damaged {
            path: path.to_owned(),
            part: name,
            reason: error.to_string(),
        })?;
    if bytes.len() as u64 > limit {
        return Err(over(bytes.len() as u64));
    }
    Ok(bytes)
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

pub(crate) fn io(path: &Path, error: &std::io::Error) -> Error {
    Error::Io {
        path: path.to_owned(),
        reason: error.to_string(),
    }
}
