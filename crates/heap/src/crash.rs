//! A whole `.recrash` file: a snapshot, and second looks at some of its frames.
//!
//! Where a second look was taken at frame n, the entry `looks/n.recrash` is a snapshot of that frame's entry.

use crate::container::{Limits, entry, io, open, write_file};
use crate::error::Error;
use crate::snapshot::{Snapshot, fill};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek, Write};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

const FOLDER: &str = "looks/";
const END: &str = ".recrash";
const PART: &str = "its second looks";

/// Everything that one file says about a crash, read once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crash {
    /// Where it was read from; absolute, because the JVMs that are told of it run in other folders.
    pub path: PathBuf,
    pub snapshot: Snapshot,
    /// By frame: a snapshot taken when the frame was entered, in a run at the desk.
    pub looks: BTreeMap<usize, Snapshot>,
}

impl Crash {
    pub fn read(path: &Path) -> Result<Self, Error> {
        let (mut archive, limits) = archive(path)?;
        let snapshot = Snapshot::from_archive(&mut archive, path, &limits)?;
        let frames: Vec<usize> = archive.file_names().filter_map(frame_of).collect();
        let mut looks = BTreeMap::new();
        let mut rest = limits.heap_bytes;
        for frame in frames {
            let Some(look) = look(&mut archive, path, frame, rest)? else {
                continue;
            };
            rest = rest.saturating_sub(look.heap.bytes().len() as u64);
            looks.insert(frame, look);
        }
        Ok(Self {
            path: std::path::absolute(path).map_err(|error| io(path, &error))?,
            snapshot,
            looks,
        })
    }

    /// The same crash with another snapshot in the place of its own.
    #[must_use]
    pub fn with(&self, snapshot: Snapshot) -> Self {
        Self {
            path: self.path.clone(),
            snapshot,
            looks: BTreeMap::new(),
        }
    }

    /// The name of its file, for sentences.
    pub fn file_name(&self) -> String {
        let name = self.path.file_name();
        name.map_or_else(
            || "snapshot.recrash".to_owned(),
            |name| name.to_string_lossy().into_owned(),
        )
    }

    /// The snapshot that serves `frame` best: the second look at it where there is one, else the crash's own.
    pub fn for_frame(&self, frame: usize) -> &Snapshot {
        self.looks.get(&frame).unwrap_or(&self.snapshot)
    }

    /// Writes snapshot and looks into one file, which appears when it is whole.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        write_file(path, |zip| {
            let Snapshot {
                manifest,
                heap,
                classes,
            } = &self.snapshot;
            fill(zip, manifest, &[heap.bytes()], classes)?;
            for (frame, look) in &self.looks {
                // It is compressed inside.
                let stored =
                    SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
                zip.start_file(entry_name(*frame), stored)?;
                zip.write_all(&packed(look)?)?;
            }
            Ok(())
        })
    }
}

impl Snapshot {
    /// What serves `frame` best of the file at `path`, as [`Crash::for_frame`], without reading the rest.
    pub fn read_for_frame(path: &Path, frame: usize) -> Result<Self, Error> {
        let (mut archive, limits) = archive(path)?;
        match look(&mut archive, path, frame, limits.heap_bytes)? {
            Some(look) => Ok(look),
            None => Self::from_archive(&mut archive, path, &limits),
        }
    }
}

fn archive(path: &Path) -> Result<(ZipArchive<BufReader<File>>, Limits), Error> {
    let file = File::open(path).map_err(|error| io(path, &error))?;
    let limits = Limits::default();
    Ok((open(BufReader::new(file), path, &limits)?, limits))
}

fn look(
    archive: &mut ZipArchive<impl Read + Seek>,
    path: &Path,
    frame: usize,
    most_bytes: u64,
) -> Result<Option<Snapshot>, Error> {
    let Some(index) = archive.index_for_name(&entry_name(frame)) else {
        return Ok(None);
    };
    let bytes = entry(archive, path, index, PART, most_bytes)?;
    let limits = Limits {
        heap_bytes: most_bytes,
        ..Limits::default()
    };
    Snapshot::read_from(Cursor::new(bytes), path, &limits).map(Some)
}

fn packed(snapshot: &Snapshot) -> std::io::Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let heap = snapshot.heap.bytes();
    fill(&mut zip, &snapshot.manifest, &[heap], &snapshot.classes)?;
    Ok(zip.finish()?.into_inner())
}

fn entry_name(frame: usize) -> String {
    format!("{FOLDER}{frame}{END}")
}

fn frame_of(entry: &str) -> Option<usize> {
    let number = entry.strip_prefix(FOLDER)?.strip_suffix(END)?;
    number.parse().ok()
}
