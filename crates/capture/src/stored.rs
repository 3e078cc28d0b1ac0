//! Reads back what [`crate::tests`] has written beside a snapshot.

use crate::error::{Error, Result};
use crate::folder::VERDICTS;
use crate::folder::place_of;
use crate::verdicts::Verdicts;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A generated class is thousands of lines at most.
const MOST_BYTES: u64 = 16 << 20;

/// The tests of a snapshot, as they lie in their folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredTests {
    pub verdicts: Verdicts,
    /// The generated sources, each with its path.
    pub sources: Vec<(PathBuf, String)>,
}

impl StoredTests {
    /// The tests in the folder that [`crate::tests`] makes for the snapshot, or in the one that holds the snapshot; `None` when
    /// there are none, or when they belong to another crash.
    pub fn beside(snapshot: &Path, fingerprint: &str) -> Result<Option<Self>> {
        let own = place_of(snapshot, None);
        let holding = snapshot.parent().unwrap_or(Path::new(""));
        for folder in [own.as_path(), holding] {
            if folder.join(VERDICTS).is_file() {
                let stored = Self::read(folder)?;
                if stored.verdicts.fingerprint == fingerprint {
                    return Ok(Some(stored));
                }
            }
        }
        Ok(None)
    }

    /// The tests in `folder`, which must be of the crash with this fingerprint.
    pub fn of(folder: &Path, fingerprint: &str) -> Result<Self> {
        let stored = Self::read(folder)?;
        if stored.verdicts.fingerprint != fingerprint {
            return Err(Error::OtherCrash {
                folder: folder.to_owned(),
                snapshot: stored.verdicts.snapshot,
            });
        }
        Ok(stored)
    }

    /// The test classes of other crashes, in the folders beside `place`: copied into one project, no two may have one name.
    pub(crate) fn classes_beside(place: &Path) -> BTreeSet<String> {
        let others = std::fs::read_dir(place.parent().unwrap_or(Path::new("")));
        let others = others.into_iter().flatten().flatten();
        others
            .map(|entry| entry.path())
            .filter(|folder| folder != place && folder.join(VERDICTS).is_file())
            .filter_map(|folder| Self::read(&folder).ok()?.verdicts.test_class)
            .collect()
    }

    fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(VERDICTS);
        let unreadable = |path: &Path, reason: String| Error::Stored {
            path: path.to_owned(),
            reason,
        };
        let json = read(&path).map_err(|error| unreadable(&path, error.to_string()))?;
        let verdicts: Verdicts =
            serde_json::from_str(&json).map_err(|error| unreadable(&path, error.to_string()))?;
        let mut sources = Vec::new();
        let entries =
            std::fs::read_dir(folder).map_err(|error| unreadable(folder, error.to_string()))?;
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path
                .extension()
                .is_some_and(|extension| extension == "java")
            {
                let text = read(&path).map_err(|error| unreadable(&path, error.to_string()))?;
                sources.push((path, text));
            }
        }
        sources.sort();
        Ok(StoredTests { verdicts, sources })
    }
}

fn read(path: &Path) -> std::io::Result<String> {
    if path.metadata()?.len() > MOST_BYTES {
        return Err(std::io::Error::other("it is too long to be recrash's"));
    }
    Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned())
}
