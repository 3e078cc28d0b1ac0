//! The file: read at any time, changed under a lock, always whole.

use crate::line::{Defect, Method};
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// What opens a file that recrash makes.
const HEADER: &str = "# Methods that recrash watches, one per line: com.acme.Order.total\n";

/// Whoever changes the list needs milliseconds; a lock held for longer belongs to a process that hangs.
const PATIENCE: Duration = Duration::from_secs(2);

/// A list of a hundred thousand methods is shorter.
const LONGEST: u64 = 16 << 20;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("watch list {} cannot be used: {source}; name another file", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("watch list {} has been locked by another process for {} s", .0.display(), PATIENCE.as_secs())]
    Locked(PathBuf),
    #[error("watch list {} has more than {} MB; is it another file?", .0.display(), LONGEST >> 20)]
    TooLong(PathBuf),
}

/// What the file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WatchList {
    /// Each once, in the order of the file.
    pub methods: Vec<Method>,
    pub defects: Vec<Defect>,
}

/// Tells one state of the file from the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
    file: (u64, u64),
}

/// A watch list by its path; the file need not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchFile {
    path: PathBuf,
}

impl WatchFile {
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Nothing where there is no file.
    pub fn stamp(&self) -> Option<Stamp> {
        let found = fs::metadata(&self.path).ok()?;
        Some(Stamp {
            modified: found.modified().ok(),
            length: found.len(),
            file: (found.dev(), found.ino()),
        })
    }

    /// Needs no lock: the file is replaced whole. One that does not exist is an empty list.
    pub fn read(&self) -> Result<WatchList, Error> {
        match File::open(&self.path) {
            Ok(mut file) => Ok(WatchList::parse(&self.content(&mut file)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(WatchList::default()),
            Err(error) => Err(self.io(error)),
        }
    }

    /// Makes an empty list where there is none; fails where the file could not be changed.
    pub fn prepare(&self) -> Result<(), Error> {
        self.edit(|content| (content.is_empty().then(|| HEADER.as_bytes().to_vec()), ()))
    }

    /// Adds the methods that are not there yet, each with `why` as its comment; returns those.
    pub fn add(&self, methods: &[Method], why: &str) -> Result<Vec<Method>, Error> {
        self.edit(|content| {
            let mut known = WatchList::parse(content).methods;
            let before = known.len();
            let mut added = String::new();
            for method in methods {
                if !known.contains(method) {
                    let _ = writeln!(added, "{method}  # {}", why.replace(['\n', '\r'], " "));
                    known.push(method.clone());
                }
            }
            let new = known.split_off(before);
            let mut content = content.to_vec();
            if content.is_empty() {
                content.extend_from_slice(HEADER.as_bytes());
            } else if !content.ends_with(b"\n") {
                content.push(b'\n');
            }
            content.extend_from_slice(added.as_bytes());
            ((!new.is_empty()).then_some(content), new)
        })
    }

    /// Takes out the lines whose method passes; returns those methods. Everything else in the file stays.
    pub fn remove(&self, which: impl Fn(&Method) -> bool) -> Result<Vec<Method>, Error> {
        self.edit(|content| {
            let mut removed = Vec::new();
            let mut kept = Vec::with_capacity(content.len());
            for line in content.split_inclusive(|&byte| byte == b'\n') {
                match Method::of_line(line) {
                    Ok(Some(method)) if which(&method) => removed.push(method),
                    _ => kept.extend_from_slice(line),
                }
            }
            ((!removed.is_empty()).then_some(kept), removed)
        })
    }

    /// Replaces the content under the lock, if `change` gives a new one.
    fn edit<T>(&self, change: impl FnOnce(&[u8]) -> (Option<Vec<u8>>, T)) -> Result<T, Error> {
        // A link stays a link: what it leads to is replaced.
        let target = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let mut locked = self.lock(&target)?;
        let content = self.content(&mut locked)?;
        let (new, result) = change(&content);
        if let Some(new) = new {
            replace(&target, &new, &locked).map_err(|error| self.io(error))?;
        }
        Ok(result)
    }

    /// The lock is on the file itself, so nothing else lies about; a file that was replaced while we waited for its lock
    /// is no longer the list.
    fn lock(&self, target: &Path) -> Result<File, Error> {
        let since = Instant::now();
        loop {
            let file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(target)
                .map_err(|error| self.io(error))?;
            match file.try_lock() {
                Ok(()) if is_still(target, &file) => return Ok(file),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) if since.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                Err(TryLockError::WouldBlock) => return Err(Error::Locked(self.path.clone())),
                Err(TryLockError::Error(error)) => return Err(self.io(error)),
            }
        }
    }

    fn content(&self, file: &mut File) -> Result<Vec<u8>, Error> {
        let mut content = Vec::new();
        file.take(LONGEST + 1)
            .read_to_end(&mut content)
            .map_err(|error| self.io(error))?;
        if content.len() as u64 > LONGEST {
            return Err(Error::TooLong(self.path.clone()));
        }
        Ok(content)
    }

    fn io(&self, source: io::Error) -> Error {
        Error::Io {
            path: self.path.clone(),
            source,
        }
    }
}

impl WatchList {
    pub fn parse(content: &[u8]) -> Self {
        let mut list = Self::default();
        let mut known = std::collections::HashSet::new();
        for (index, line) in content.split(|&byte| byte == b'\n').enumerate() {
            match Method::of_line(line) {
                Ok(Some(method)) if known.insert(method.clone()) => list.methods.push(method),
                Ok(_) => {}
                Err(reason) => list.defects.push(Defect {
                    line: index + 1,
                    reason,
                }),
            }
        }
        list
    }
}

fn is_still(path: &Path, file: &File) -> bool {
    let id = |found: fs::Metadata| (found.dev(), found.ino());
    let opened = file.metadata().map(id);
    opened.is_ok_and(|opened| {
        fs::metadata(path)
            .map(id)
            .is_ok_and(|named| named == opened)
    })
}

/// Under a temporary name first, so that readers see the old list or the new one.
fn replace(path: &Path, content: &[u8], old: &File) -> io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut new = tempfile::Builder::new()
        .prefix(".recrash-watch-")
        .tempfile_in(folder)?;
    new.write_all(content)?;
    new.as_file()
        .set_permissions(old.metadata()?.permissions())?;
    new.as_file().sync_all()?;
    new.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn methods(names: &[&str]) -> Vec<Method> {
        names
            .iter()
            .map(|name| Method::parse(name).unwrap())
            .collect()
    }

    fn list() -> (tempfile::TempDir, WatchFile) {
        let folder = tempfile::tempdir().unwrap();
        let file = WatchFile::at(folder.path().join("watch.txt"));
        (folder, file)
    }

    #[test]
    fn methods_are_added_once_with_their_reason() {
        let (_folder, file) = list();
        assert_eq!(file.read().unwrap(), WatchList::default());
        let added = file
            .add(&methods(&["A.f", "A.g", "A.f"]), "boom\nbang")
            .unwrap();
        assert_eq!(added, methods(&["A.f", "A.g"]));
        assert_eq!(
            file.add(&methods(&["A.g", "B.h"]), "later").unwrap(),
            methods(&["B.h"])
        );
        let text = fs::read_to_string(file.path()).unwrap();
        assert_eq!(
            text,
            format!("{HEADER}A.f  # boom bang\nA.g  # boom bang\nB.h  # later\n")
        );
        assert_eq!(
            file.read().unwrap().methods,
            methods(&["A.f", "A.g", "B.h"])
        );
    }

    #[test]
    fn removing_leaves_everything_else_as_it_is() {
        let (_folder, file) = list();
        fs::write(file.path(), b"# mine\nA.f\nnonsense\n\xff\nB.g # why").unwrap();
        assert_eq!(
            file.remove(|method| method.class == "A").unwrap(),
            methods(&["A.f"])
        );
        assert_eq!(
            fs::read(file.path()).unwrap(),
            b"# mine\nnonsense\n\xff\nB.g # why"
        );
        file.add(&methods(&["C.h"]), "new").unwrap();
        assert!(
            fs::read(file.path())
                .unwrap()
                .ends_with(b"B.g # why\nC.h  # new\n")
        );
    }

    #[test]
    fn malformed_lines_are_told_by_their_number() {
        let parsed = WatchList::parse(b"A.f\n\nnonsense\nA.f\r\n");
        assert_eq!(parsed.methods, methods(&["A.f"]));
        let lines: Vec<usize> = parsed.defects.iter().map(|defect| defect.line).collect();
        assert_eq!(lines, [3]);
    }

    #[test]
    fn writers_at_the_same_time_lose_nothing() {
        let (folder, file) = list();
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let file = &file;
                scope.spawn(move || {
                    for number in 0..25 {
                        let name = format!("W{writer}.m{number}");
                        file.add(&methods(&[&name, "Shared.m"]), "race").unwrap();
                    }
                });
            }
        });
        let found = file.read().unwrap();
        assert_eq!(found.methods.len(), 8 * 25 + 1);
        assert_eq!(found.defects, []);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no litter");
    }

    #[test]
    fn links_and_permissions_stay() {
        let (folder, file) = list();
        let real = folder.path().join("real.txt");
        fs::write(&real, "").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o664)).unwrap();
        symlink(&real, file.path()).unwrap();
        file.add(&methods(&["A.f"]), "x").unwrap();
        assert!(fs::symlink_metadata(file.path()).unwrap().is_symlink());
        assert_eq!(
            fs::metadata(&real).unwrap().permissions().mode() & 0o777,
            0o664
        );
    }

    #[test]
    fn a_change_changes_the_stamp() {
        let (_folder, file) = list();
        assert_eq!(file.stamp(), None);
        file.add(&methods(&["A.f"]), "x").unwrap();
        let before = file.stamp();
        assert_eq!(file.stamp(), before);
        file.add(&methods(&["A.g"]), "x").unwrap();
        assert_ne!(file.stamp(), before);
    }

    #[test]
    fn a_folder_is_no_list() {
        let folder = tempfile::tempdir().unwrap();
        let file = WatchFile::at(folder.path());
        let error = file.prepare().unwrap_err().to_string();
        assert!(error.contains("Is a directory"), "{error}");
        assert!(file.read().is_err());
    }
}
