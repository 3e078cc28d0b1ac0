//! Archives and folders in memory: read with the archives inside them, written back as they were but for what changed.

use crate::{Error, Result};
use std::fs::{self, File, Permissions};
use std::io::{self, Cursor, Read, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

/// All entries together, unpacked: what a reader is willing to hold in memory.
const MOST_BYTES: u64 = 4 << 30;

/// A Spring Boot jar in a WAR in an EAR is three.
const DEEPEST: usize = 4;

#[derive(Debug, Default)]
pub(crate) struct Archive {
    /// What stands in front: executable jars start with a shell script.
    lead: Vec<u8>,
    pub(crate) entries: Vec<Entry>,
}

#[derive(Debug)]
pub(crate) struct Entry {
    /// With slashes; that of a folder ends with one.
    pub(crate) name: String,
    pub(crate) content: Content,
    /// Not compressed: launchers that read jars inside jars insist on it.
    stored: bool,
    modified: Option<DateTime>,
    mode: Option<u32>,
}

#[derive(Debug)]
pub(crate) enum Content {
    Folder,
    File(Vec<u8>),
    Archive(Archive),
}

impl Entry {
    pub(crate) fn new(name: String, bytes: Vec<u8>) -> Self {
        Entry {
            name,
            content: Content::File(bytes),
            stored: false,
            modified: None,
            mode: None,
        }
    }

    pub(crate) fn is_class(&self) -> bool {
        ends_with(&self.name, "class")
    }
}

fn ends_with(name: &str, extension: &str) -> bool {
    Path::new(name)
        .extension()
        .is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

impl Archive {
    /// The jar or folder at `path`.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let mut reader = Reader { left: MOST_BYTES };
        let io = |source| Error::Read {
            path: path.to_owned(),
            source,
        };
        if path.is_dir() {
            return reader.folder(path);
        }
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes))
            .map_err(io)?;
        reader.archive(&bytes, &path.display().to_string(), 0)
    }

    pub(crate) fn file(&self, name: &str) -> Option<&[u8]> {
        self.entries.iter().find_map(|entry| match &entry.content {
            Content::File(bytes) if entry.name == name => Some(bytes.as_slice()),
            _ => None,
        })
    }

    /// Writes an archive to `target`, whole or not at all.
    pub(crate) fn write(&self, target: &Path, like: &Path) -> Result<()> {
        let written = || -> io::Result<()> {
            let folder = match target.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => folder,
                _ => Path::new("."),
            };
            let mut part = tempfile::NamedTempFile::new_in(folder)?;
            self.pack(part.as_file_mut())?;
            part.as_file()
                .set_permissions(fs::metadata(like)?.permissions())?;
            part.persist(target).map_err(|error| error.error)?;
            Ok(())
        };
        written().map_err(|source| Error::Write {
            path: target.to_owned(),
            source,
        })
    }

    fn pack(&self, mut out: impl Write + Seek) -> io::Result<()> {
        out.write_all(&self.lead)?;
        let mut zip = ZipWriter::new(out);
        for entry in &self.entries {
            let method = if entry.stored {
                CompressionMethod::Stored
            } else {
                CompressionMethod::Deflated
            };
            let mut options = SimpleFileOptions::default()
                .compression_method(method)
                .last_modified_time(entry.modified.unwrap_or_default());
            if let Some(mode) = entry.mode {
                options = options.unix_permissions(mode);
            }
            match &entry.content {
                Content::Folder => zip.add_directory(entry.name.as_str(), options)?,
                Content::File(bytes) => {
                    zip.start_file(entry.name.as_str(), options)?;
                    zip.write_all(bytes)?;
                }
                Content::Archive(archive) => {
                    zip.start_file(entry.name.as_str(), options)?;
                    let mut inner = Cursor::new(Vec::new());
                    archive.pack(&mut inner)?;
                    zip.write_all(inner.get_ref())?;
                }
            }
        }
        zip.finish()?;
        Ok(())
    }

    /// Writes a folder.
    pub(crate) fn unfold(&self, target: &Path) -> Result<()> {
        for entry in &self.entries {
            let path = target.join(&entry.name);
            let written = || -> io::Result<()> {
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder)?;
                }
                match &entry.content {
                    Content::Folder => return fs::create_dir_all(&path),
                    Content::File(bytes) => fs::write(&path, bytes)?,
                    Content::Archive(archive) => archive.pack(File::create(&path)?)?,
                }
                if let Some(mode) = entry.mode {
                    fs::set_permissions(&path, Permissions::from_mode(mode))?;
                }
                Ok(())
            };
            written().map_err(|source| Error::Write {
                path: path.clone(),
                source,
            })?;
        }
        Ok(())
    }
}

struct Reader {
    left: u64,
}

impl Reader {
    fn archive(&mut self, bytes: &[u8], place: &str, depth: usize) -> Result<Archive> {
        let broken = |detail: zip::result::ZipError| Error::Archive {
            place: place.to_owned(),
            detail: detail.to_string(),
        };
        let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
        let lead = bytes.get(..zip.offset() as usize).unwrap_or_default();
        let mut archive = Archive {
            lead: lead.to_vec(),
            entries: Vec::with_capacity(zip.len()),
        };
        for number in 0..zip.len() {
            let mut file = zip.by_index(number).map_err(broken)?;
            let name = file.name().to_owned();
            let content = if file.is_dir() {
                Content::Folder
            } else {
                let bytes = self.take(&mut file, &format!("{place}!/{name}"))?;
                self.content(bytes, &name, &format!("{place}!/{name}"), depth)
            };
            archive.entries.push(Entry {
                content,
                stored: file.compression() == CompressionMethod::Stored,
                modified: file.last_modified(),
                mode: file.unix_mode(),
                name,
            });
        }
        Ok(archive)
    }

    /// A jar inside is opened, too; what only looks like one stays as it is.
    fn content(&mut self, bytes: Vec<u8>, name: &str, place: &str, depth: usize) -> Content {
        let is_jar = ["jar", "war"].iter().any(|kind| ends_with(name, kind));
        if is_jar
            && depth < DEEPEST
            && let Ok(archive) = self.archive(&bytes, place, depth + 1)
        {
            return Content::Archive(archive);
        }
        Content::File(bytes)
    }

    /// The size an entry claims is not believed.
    fn take(&mut self, file: &mut impl Read, place: &str) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        file.take(self.left + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| Error::Archive {
                place: place.to_owned(),
                detail: error.to_string(),
            })?;
        self.left = self
            .left
            .checked_sub(bytes.len() as u64)
            .ok_or_else(|| Error::TooLarge {
                place: place.to_owned(),
                limit: MOST_BYTES,
            })?;
        Ok(bytes)
    }

    fn folder(&mut self, root: &Path) -> Result<Archive> {
        let mut archive = Archive::default();
        let mut pending = vec![root.to_owned()];
        while let Some(folder) = pending.pop() {
            let io = |source| Error::Read {
                path: folder.clone(),
                source,
            };
            for child in fs::read_dir(&folder).map_err(io)? {
                let path = child.map_err(io)?.path();
                // Links to folders are not followed: they may lead in circles.
                if path.is_dir() && !path.is_symlink() {
                    pending.push(path);
                } else if path.is_file() {
                    archive.entries.push(self.file(root, &path)?);
                }
            }
        }
        archive
            .entries
            .sort_by(|one, other| one.name.cmp(&other.name));
        Ok(archive)
    }

    fn file(&mut self, root: &Path, path: &Path) -> Result<Entry> {
        let place = path.display().to_string();
        let io = |source| Error::Read {
            path: path.to_owned(),
            source,
        };
        let mut file = File::open(path).map_err(io)?;
        let mode = file.metadata().map_err(io)?.permissions().mode();
        let bytes = self.take(&mut file, &place)?;
        let name = path
            .strip_prefix(root)
            .unwrap_or(path)
            .to_string_lossy()
            .into_owned();
        Ok(Entry {
            content: self.content(bytes, &name, &place, 0),
            name,
            stored: false,
            modified: None,
            mode: Some(mode),
        })
    }
}
