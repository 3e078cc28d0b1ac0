//! The program's source around the lines of a stack trace, where a folder of sources is given.
//!
//! The only part of this crate that reads files. A trace names a file without its folder; the package of the class says
//! which of several files of that name is meant.

use crate::error::Error;
use recrash_heap::manifest::{Manifest, TraceElement};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Lines before and behind the one that is meant.
const AROUND: usize = 5;

/// Entries of folders that are looked at; a home folder given by mistake must not take minutes.
const MOST_ENTRIES: usize = 200_000;

/// Longer files are no source that anybody wrote.
const MOST_BYTES: u64 = 4 << 20;

/// A few lines of source around a frame's line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// Index into the manifest's frames.
    pub frame: usize,
    pub path: String,
    /// Number of the first line shown.
    pub first: usize,
    /// Number of the line that is meant.
    pub line: usize,
    pub lines: Vec<String>,
}

/// Excerpts for every frame whose source is found below `folders`, the first folder that has it winning.
pub fn excerpts(manifest: &Manifest, folders: &[PathBuf]) -> Result<Vec<Excerpt>, Error> {
    let wanted: BTreeSet<&str> = manifest
        .frames
        .iter()
        .filter_map(|frame| frame.element.file.as_deref())
        .collect();
    let mut found: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let mut left = MOST_ENTRIES;
    check_sources(folders)?;
    for folder in folders {
        collect(folder, &wanted, &mut found, &mut left);
    }
    let mut texts: BTreeMap<&Path, Option<Vec<String>>> = BTreeMap::new();
    let mut excerpts = Vec::new();
    for (index, frame) in manifest.frames.iter().enumerate() {
        let Some(path) = best(&frame.element, &found) else {
            continue;
        };
        let lines = texts.entry(path).or_insert_with(|| read_lines(path));
        let line = usize::try_from(frame.element.line).unwrap_or(0);
        if let Some(lines) = lines
            && (1..=lines.len()).contains(&line)
        {
            let first = line.saturating_sub(AROUND).max(1);
            let shown = lines.iter().skip(first - 1).take(line - first + 1 + AROUND);
            excerpts.push(Excerpt {
                frame: index,
                path: path.strip_prefix(".").unwrap_or(path).display().to_string(),
                first,
                line,
                lines: shown.cloned().collect(),
            });
        }
    }
    Ok(excerpts)
}

/// Whether the folders can be read at all; what they hold is nobody's fault.
pub fn check_sources(folders: &[PathBuf]) -> Result<(), Error> {
    for folder in folders {
        std::fs::read_dir(folder).map_err(|error| Error::Sources {
            path: folder.display().to_string(),
            reason: error.to_string(),
        })?;
    }
    Ok(())
}

/// The files below `folder` that are wanted, nearest first. Folders that cannot be read have nothing to give.
fn collect(
    folder: &Path,
    wanted: &BTreeSet<&str>,
    found: &mut BTreeMap<String, Vec<PathBuf>>,
    left: &mut usize,
) {
    let mut waiting = std::collections::VecDeque::from([folder.to_owned()]);
    while let Some(folder) = waiting.pop_front() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        let mut entries: Vec<_> = entries.filter_map(Result::ok).collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            if *left == 0 {
                return;
            }
            *left -= 1;
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            // Links are not followed: they may lead in circles.
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !name.starts_with('.') => {
                    waiting.push_back(entry.path());
                }
                Ok(kind) if kind.is_file() && wanted.contains(name) => {
                    found.entry(name.to_owned()).or_default().push(entry.path());
                }
                _ => {}
            }
        }
    }
}

/// The file whose folders agree with the package; for languages whose folders need not, the only one of its name.
fn best<'f>(element: &TraceElement, found: &'f BTreeMap<String, Vec<PathBuf>>) -> Option<&'f Path> {
    let candidates = found.get(element.file.as_deref()?)?;
    let package: Vec<&str> = match element.class.rsplit_once('.') {
        Some((package, _)) => package.split('.').collect(),
        None => Vec::new(),
    };
    let agrees = |path: &&PathBuf| {
        let mut folders = path.iter().rev().skip(1);
        let mut parts = package.iter().rev();
        parts.all(|part| folders.next().is_some_and(|folder| folder == *part))
    };
    if let Some(path) = candidates.iter().find(agrees) {
        return Some(path);
    }
    let free = Path::new(element.file.as_deref()?)
        .extension()
        .is_none_or(|extension| extension != "java");
    match candidates.as_slice() {
        [only] if free => Some(only),
        _ => None,
    }
}

fn read_lines(path: &Path) -> Option<Vec<String>> {
    if path.metadata().ok()?.len() > MOST_BYTES {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    Some(text.lines().map(str::to_owned).collect())
}
