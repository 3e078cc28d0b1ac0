//! The folder of tests: built beside its place, then moved there whole.

use crate::error::{Error, Result};
use crate::signals;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The file that marks a folder as ours.
pub(crate) const VERDICTS: &str = "verdicts.json";

/// `out/NullPointerException-1a2b3c4d-99/` for `NullPointerException-1a2b3c4d-99.recrash`.
pub(crate) fn place_of(snapshot: &Path, out: Option<&Path>) -> PathBuf {
    let stem = snapshot.file_stem().map(PathBuf::from).unwrap_or_default();
    let beside = snapshot.parent().unwrap_or(Path::new(""));
    let parent = out.unwrap_or(beside);
    // Without an extension the folder would have the snapshot's own name.
    if snapshot.extension().is_none() {
        return parent.join(format!("{}-tests", stem.display()));
    }
    parent.join(stem)
}

/// A folder under construction; dropped, it disappears.
pub(crate) struct Folder {
    building: TempDir,
    place: PathBuf,
}

impl Folder {
    /// Starts building what will be `place`.
    pub(crate) fn start(place: &Path) -> Result<Self> {
        if place.exists() && !place.join(VERDICTS).is_file() {
            return Err(Error::Foreign(place.to_owned()));
        }
        let parent = place
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        std::fs::create_dir_all(parent).map_err(Error::out(parent))?;
        let building = tempfile::Builder::new()
            .prefix(".recrash-")
            .tempdir_in(parent)
            .map_err(Error::out(parent))?;
        signals::unfinished(building.path());
        Ok(Folder {
            building,
            place: place.to_owned(),
        })
    }

    pub(crate) fn path(&self) -> &Path {
        self.building.path()
    }

    pub(crate) fn write(&self, name: &str, contents: &[u8]) -> Result<PathBuf> {
        let path = self.path().join(name);
        std::fs::write(&path, contents).map_err(Error::out(&path))?;
        Ok(path)
    }

    /// The same for captured data alone, which nobody else may read, as a snapshot.
    pub(crate) fn write_private(&self, name: &str, contents: &[u8]) -> Result<()> {
        use std::os::unix::fs::PermissionsExt;
        let path = self.write(name, contents)?;
        let private = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(&path, private).map_err(Error::out(&path))
    }

    /// A hard link where the file system allows it: snapshots may be large and never change.
    pub(crate) fn link(&self, from: &Path, name: &str) -> Result<()> {
        let to = self.path().join(name);
        if std::fs::hard_link(from, &to).is_ok() {
            return Ok(());
        }
        std::fs::copy(from, &to).map(drop).map_err(Error::out(&to))
    }

    /// Takes a file out again.
    pub(crate) fn remove(&self, name: &str) -> Result<()> {
        let path = self.path().join(name);
        std::fs::remove_file(&path).map_err(Error::out(&path))
    }

    /// Moves the folder to its place, which it replaces.
    pub(crate) fn finish(mut self) -> Result<PathBuf> {
        use std::os::unix::fs::PermissionsExt;
        // Temporary folders are private; what stays shall be as readable as any other folder of the user's.
        let shared = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(self.path(), shared).map_err(Error::out(self.path()))?;
        let place = self.place.clone();
        if place.exists() {
            let mut old = place.as_os_str().to_owned();
            old.push(".old");
            let old = PathBuf::from(old);
            std::fs::rename(&place, &old).map_err(Error::out(&place))?;
            if let Err(source) = std::fs::rename(self.path(), &place) {
                let _ = std::fs::rename(&old, &place);
                return Err(Error::Out {
                    path: place,
                    source,
                });
            }
            std::fs::remove_dir_all(&old).map_err(Error::out(&old))?;
        } else {
            std::fs::rename(self.path(), &place).map_err(Error::out(&place))?;
        }
        // It has a new name now; nothing is left to remove.
        self.building.disable_cleanup(true);
        Ok(place)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        signals::finished(self.building.path());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_appears_whole_and_replaces_its_predecessor() {
        let root = tempfile::tempdir().unwrap();
        let place = root.path().join("tests");
        for text in ["one", "two"] {
            let folder = Folder::start(&place).unwrap();
            folder.write(VERDICTS, b"{}").unwrap();
            folder.write("A.java", text.as_bytes()).unwrap();
            assert_eq!(folder.finish().unwrap(), place);
            assert_eq!(std::fs::read_to_string(place.join("A.java")).unwrap(), text);
        }
        assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_abandoned_folder_leaves_nothing() {
        let root = tempfile::tempdir().unwrap();
        drop(Folder::start(&root.path().join("tests")).unwrap());
        assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_of_the_users_own_is_not_replaced() {
        let root = tempfile::tempdir().unwrap();
        let error = Folder::start(root.path()).err().unwrap();
        assert!(
            error.to_string().contains("was not made by recrash"),
            "{error}"
        );
    }
}
