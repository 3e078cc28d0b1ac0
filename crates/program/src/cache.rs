//! Results on disk, by the hash of everything they were computed from.
//!
//! A file is written under a temporary name and renamed: it is whole or it is not there. What cannot be read, because it is
//! damaged or of another version, is thrown away and computed anew.

use std::path::{Path, PathBuf};
use std::{fs, process};

use recrash_advice::Advice;
use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_64;

use crate::advice::advice;
use crate::class_path::ClassPath;
use crate::effects::Effects;
use crate::error::{Error, Result};
use crate::program::Program;

const MAGIC: &[u8; 8] = b"recrashE";
/// Magic, version, checksum.
const HEADER: usize = 20;

/// What is kept: each kind has files of its own.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The files begin with it.
    pub name: &'static str,
    /// Raised whenever the analysis or the layout of its results changes.
    pub version: u32,
}

const EFFECTS: Kind = Kind {
    name: "effects",
    version: 1,
};

/// A folder of results.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
}

/// Effects, and how they were come by.
#[derive(Debug)]
pub struct Analysis {
    pub effects: Effects,
    pub from_cache: bool,
    /// Where they are stored now; `None` if that failed or nobody wanted it.
    pub file: Option<PathBuf>,
    /// What those who watch the program read, see [`Advice`]; `None` as above.
    pub advice: Option<PathBuf>,
    /// What the user should know about the cache: it was thrown away, or cannot be written.
    pub note: Option<String>,
}

impl Cache {
    pub fn at(folder: impl Into<PathBuf>) -> Cache {
        Cache {
            folder: folder.into(),
        }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn file(&self, kind: Kind, key: u64) -> PathBuf {
        self.folder.join(format!("{}-{key:016x}.bin", kind.name))
    }

    /// What is stored under this key; instead of what cannot be read, a line that says so.
    pub fn read<T: DeserializeOwned>(
        &self,
        kind: Kind,
        key: u64,
    ) -> std::result::Result<Option<T>, String> {
        let file = self.file(kind, key);
        match fs::read(&file) {
            Ok(bytes) => decode(kind, &bytes).map(Some).map_err(|reason| {
                format!(
                    "{} {reason}; it is thrown away and computed anew",
                    file.display()
                )
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("{} cannot be read: {error}", file.display())),
        }
    }

    /// Stores it under this key, and gives the file, or a line that says why not.
    pub fn write<T: Serialize>(
        &self,
        kind: Kind,
        key: u64,
        content: &T,
    ) -> Result<std::result::Result<PathBuf, String>> {
        let file = self.file(kind, key);
        let written = write(&file, &encode(kind, content)?);
        Ok(match written {
            Ok(()) => Ok(file),
            Err(error) => Err(not_written(&file, &error)),
        })
    }

    /// The effects of a class path, from the cache if it has them; and the advice that follows from them is there, too.
    pub fn analyze(&self, class_path: ClassPath) -> Result<Analysis> {
        let key = class_path.hash()?;
        let advised = class_path.first().map(|e| Advice::file(&self.folder, e));
        let mut note = None;
        let stored = self.read::<Effects>(EFFECTS, key).unwrap_or_else(|reason| {
            note = Some(reason);
            None
        });
        if let Some(effects) = stored {
            let effects = effects.indexed();
            // Elsewhere, or meanwhile for other content in the same place.
            if advised.as_deref().is_some_and(|file| !is_for(file, key)) {
                let advice = advice(&Program::new(class_path), &effects, key)?;
                note = store(advised.as_deref(), &advice);
            }
            return Ok(Analysis {
                effects,
                from_cache: true,
                file: Some(self.file(EFFECTS, key)),
                advice: advised.filter(|_| note.is_none()),
                note,
            });
        }
        let program = Program::new(class_path);
        let effects = Effects::of(&program);
        let written = self.write(EFFECTS, key, &effects)?;
        let trouble = store(advised.as_deref(), &advice(&program, &effects, key)?);
        let advice = advised.filter(|_| trouble.is_none());
        note = written.as_ref().err().cloned().or(trouble).or(note);
        Ok(Analysis {
            effects,
            from_cache: false,
            file: written.ok(),
            advice,
            note,
        })
    }

    /// The effects stored for this hash of a class path; `None` if there are none that can be read.
    pub fn load(&self, key: u64) -> Option<Effects> {
        let effects = self.read::<Effects>(EFFECTS, key).ok()??;
        Some(effects.indexed())
    }
}

/// Whether the file has the advice for what has this hash.
fn is_for(file: &Path, key: u64) -> bool {
    let stored = fs::read(file).ok();
    stored.and_then(|bytes| Some(Advice::decode(&bytes)?.key)) == Some(key)
}

/// A line that says why the advice could not be written.
fn store(file: Option<&Path>, advice: &[u8]) -> Option<String> {
    let file = file?;
    let error = write(file, advice).err()?;
    Some(not_written(file, &error))
}

fn not_written(file: &Path, error: &std::io::Error) -> String {
    format!(
        "{} cannot be written: {error}; the next run computes anew (RECRASH_CACHE names another folder)",
        file.display()
    )
}

fn encode<T: Serialize>(kind: Kind, content: &T) -> Result<Vec<u8>> {
    let content = postcard::to_stdvec(content).map_err(Error::Encode)?;
    let mut bytes = Vec::with_capacity(HEADER + content.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&kind.version.to_le_bytes());
    bytes.extend_from_slice(&xxh3_64(&content).to_le_bytes());
    bytes.extend_from_slice(&content);
    Ok(bytes)
}

/// The reason why not completes "<file> …".
fn decode<T: DeserializeOwned>(kind: Kind, bytes: &[u8]) -> std::result::Result<T, &'static str> {
    let (header, content) = bytes.split_at_checked(HEADER).ok_or("is cut off")?;
    let (magic, rest) = header.split_at_checked(8).ok_or("is cut off")?;
    let (version, checksum) = rest.split_at_checked(4).ok_or("is cut off")?;
    if magic != MAGIC {
        return Err("is no cache of recrash");
    }
    if version != kind.version.to_le_bytes() {
        return Err("is of another version of recrash");
    }
    if checksum != xxh3_64(content).to_le_bytes() {
        return Err("is damaged");
    }
    postcard::from_bytes(content).map_err(|_| "is damaged")
}

fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let part = path.with_extension(format!("{}.part", process::id()));
    let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written
}
