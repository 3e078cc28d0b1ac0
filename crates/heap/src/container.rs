//! The zip around a snapshot: read within limits, written whole or not at all.

use crate::error::Error;
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use zip::{ZipArchive, ZipWriter};

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

pub(crate) fn named_entry(
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

pub(crate) fn io(path: &Path, error: &std::io::Error) -> Error {
    Error::Io {
        path: path.to_owned(),
        reason: error.to_string(),
    }
}
