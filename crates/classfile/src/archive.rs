//! A jar held in memory: entries are unpacked when asked for, from any thread, and a file that changes on disk
//! meanwhile changes nothing here.

use std::io::{Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use zip::ZipArchive;
use zip::result::ZipError;

use crate::{Budget, Error};

/// A whole jar, packed.
#[derive(Debug, Clone)]
pub struct Archive {
    /// What errors name: the file, and for a jar inside a jar `outer.jar!/inner.jar`.
    place: String,
    bytes: Arc<[u8]>,
    zip: ZipArchive<Cursor<Arc<[u8]>>>,
    budget: Budget,
}

impl Archive {
    pub fn open(path: &Path, budget: Budget) -> Result<Archive, Error> {
        let bytes = std::fs::read(path).map_err(|defect| Error::Unreadable {
            path: path.display().to_string(),
            detail: defect.to_string(),
        })?;
        Archive::new(path.display().to_string(), bytes, budget)
    }

    fn new(place: String, bytes: Vec<u8>, budget: Budget) -> Result<Archive, Error> {
        let bytes: Arc<[u8]> = bytes.into();
        let zip = ZipArchive::new(Cursor::new(Arc::clone(&bytes))).map_err(|defect| {
            Error::Unreadable {
                path: place.clone(),
                detail: format!("cannot be read as a jar: {defect}"),
            }
        })?;
        if zip.len() > budget.entries {
            return Err(Error::OverBudget {
                path: place,
                what: "its list of files".to_owned(),
                limit: budget.entries as u64,
            });
        }
        Ok(Archive {
            place,
            bytes,
            zip,
            budget,
        })
    }

    /// The jar that lies in this one.
    pub fn nested(&self, name: &str) -> Result<Option<Archive>, Error> {
        let Some(bytes) = self.read(name)? else {
            return Ok(None);
        };
        Archive::new(format!("{}!/{name}", self.place), bytes, self.budget).map(Some)
    }

    pub fn place(&self) -> &str {
        &self.place
    }

    /// The file as it is on disk.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.zip.file_names()
    }

    /// An entry unpacked; `None` if there is no such entry.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let unreadable = |detail: &dyn std::fmt::Display| Error::Unreadable {
            path: self.place.clone(),
            detail: format!("{name}: {detail}"),
        };
        // The directory is shared; a copy is a cursor.
        let mut zip = self.zip.clone();
        let entry = match zip.by_name(name) {
            Ok(entry) => entry,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(defect) => return Err(unreadable(&defect)),
        };
        let limit = self.budget.entry_bytes;
        let mut bytes = Vec::with_capacity(entry.size().min(1 << 20) as usize);
        entry
            .take(limit + 1)
            .read_to_end(&mut bytes)
            .map_err(|defect| unreadable(&defect))?;
        if bytes.len() as u64 > limit {
            return Err(Error::OverBudget {
                path: self.place.clone(),
                what: name.to_owned(),
                limit,
            });
        }
        Ok(Some(bytes))
    }
}
