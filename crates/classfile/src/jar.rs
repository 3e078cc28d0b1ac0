//! Jars and folders of classes, read under a budget because they may come from anywhere.

use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::Error;

/// How much a reader is willing to take in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Files in the jar or folder.
    pub entries: usize,
    /// Bytes of one entry, unpacked. A class file beyond this is none.
    pub entry_bytes: u64,
    /// Bytes of all entries together, unpacked.
    pub total_bytes: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            entries: 1 << 20,
            entry_bytes: 64 << 20,
            total_bytes: 8 << 30,
        }
    }
}

/// A file of a jar or folder: its path inside it, with slashes, and its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JarEntry {
    pub name: String,
    pub bytes: Vec<u8>,
}

impl JarEntry {
    pub fn is_class(&self) -> bool {
        is_class(&self.name)
    }
}

fn is_class(name: &str) -> bool {
    name.strip_suffix(".class").is_some()
}

/// Reads every file of a jar or folder for which `wanted` says so, in the order of the jar, or sorted for a folder.
pub fn read_entries(
    path: &Path,
    budget: Budget,
    wanted: impl Fn(&str) -> bool,
) -> Result<Vec<JarEntry>, Error> {
    let mut reader = Reader::new(path, budget);
    if path.is_dir() {
        reader.folder(&wanted)?;
    } else {
        reader.jar(&wanted)?;
    }
    Ok(reader.entries)
}

/// Reads every class of a jar or folder.
pub fn read_classes(path: &Path, budget: Budget) -> Result<Vec<JarEntry>, Error> {
    read_entries(path, budget, is_class)
}

/// The names of a jar's files, unread.
pub fn entry_names(path: &Path, budget: Budget) -> Result<Vec<String>, Error> {
    let reader = Reader::new(path, budget);
    Ok(reader.open()?.file_names().map(str::to_owned).collect())
}

/// One entry of a jar or folder, `None` if there is no such file.
pub fn read_entry(path: &Path, name: &str, budget: Budget) -> Result<Option<Vec<u8>>, Error> {
    if path.is_dir() {
        let mut entries = read_entries(path, budget, |entry| entry == name)?;
        return Ok(entries.pop().map(|entry| entry.bytes));
    }
    let mut reader = Reader::new(path, budget);
    let mut archive = reader.open()?;
    let mut entry = match archive.by_name(name) {
        Ok(entry) => entry,
        Err(ZipError::FileNotFound) => return Ok(None),
        Err(defect) => return Err(reader.unreadable(defect)),
    };
    let size = entry.size();
    reader.take(name.to_owned(), size, &mut entry)?;
    Ok(reader.entries.pop().map(|entry| entry.bytes))
}

struct Reader<'p> {
    path: &'p Path,
    budget: Budget,
    total: u64,
    entries: Vec<JarEntry>,
}

impl<'p> Reader<'p> {
    fn new(path: &'p Path, budget: Budget) -> Self {
        Reader {
            path,
            budget,
            total: 0,
            entries: Vec::new(),
        }
    }

    fn unreadable(&self, detail: impl std::fmt::Display) -> Error {
        Error::Unreadable {
            path: self.path.display().to_string(),
            detail: detail.to_string(),
        }
    }

    fn over_budget(&self, what: impl Into<String>, limit: u64) -> Error {
        Error::OverBudget {
            path: self.path.display().to_string(),
            what: what.into(),
            limit,
        }
    }

    fn open(&self) -> Result<ZipArchive<BufReader<File>>, Error> {
        let file = File::open(self.path).map_err(|defect| self.unreadable(defect))?;
        let archive =
            ZipArchive::new(BufReader::new(file)).map_err(|defect| self.unreadable(defect))?;
        if archive.len() > self.budget.entries {
            return Err(self.over_budget("its list of files", self.budget.entries as u64));
        }
        Ok(archive)
    }

    fn jar(&mut self, wanted: &impl Fn(&str) -> bool) -> Result<(), Error> {
        let mut archive = self.open()?;
        for number in 0..archive.len() {
            let mut entry = archive
                .by_index(number)
                .map_err(|defect| self.unreadable(defect))?;
            let name = entry.name().to_owned();
            if entry.is_file() && wanted(&name) {
                let size = entry.size();
                self.take(name, size, &mut entry)?;
            }
        }
        Ok(())
    }

    fn folder(&mut self, wanted: &impl Fn(&str) -> bool) -> Result<(), Error> {
        let mut pending: Vec<PathBuf> = vec![self.path.to_owned()];
        let mut files: Vec<(String, PathBuf)> = Vec::new();
        while let Some(folder) = pending.pop() {
            for child in fs::read_dir(&folder).map_err(|defect| self.unreadable(defect))? {
                let child = child.map_err(|defect| self.unreadable(defect))?;
                let kind = child
                    .file_type()
                    .map_err(|defect| self.unreadable(defect))?;
                let path = child.path();
                // Links to folders are not followed: they may lead in circles.
                if kind.is_dir() {
                    pending.push(path);
                    continue;
                }
                let inside = path.strip_prefix(self.path).unwrap_or(&path);
                let name = inside
                    .iter()
                    .map(|part| part.to_string_lossy())
                    .collect::<Vec<_>>()
                    .join("/");
                if path.is_file() && wanted(&name) {
                    files.push((name, path));
                }
                if files.len() + pending.len() > self.budget.entries {
                    return Err(self.over_budget("its list of files", self.budget.entries as u64));
                }
            }
        }
        files.sort();
        for (name, path) in files {
            let mut file = File::open(&path).map_err(|defect| self.unreadable(defect))?;
            let size = file.metadata().map_or(0, |data| data.len());
            self.take(name, size, &mut file)?;
        }
        Ok(())
    }

    /// The size an entry claims is not believed, only used to reserve memory.
    fn take(&mut self, name: String, claimed: u64, source: &mut impl Read) -> Result<(), Error> {
        let limit = self
            .budget
            .entry_bytes
            .min(self.budget.total_bytes.saturating_sub(self.total));
        let mut bytes = Vec::with_capacity(claimed.min(limit).min(1 << 20) as usize);
        let read = source.take(limit + 1).read_to_end(&mut bytes);
        read.map_err(|defect| self.unreadable(format!("{name}: {defect}")))?;
        if bytes.len() as u64 > limit {
            return Err(self.over_budget(name, limit));
        }
        self.total += bytes.len() as u64;
        self.entries.push(JarEntry { name, bytes });
        Ok(())
    }
}
