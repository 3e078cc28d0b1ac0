//! The agent library and the Java classes, embedded in the binary and unpacked to a cache folder on first use.
//!
//! This crate knows bytes, file names, and which of the files a build tool finds under which coordinates. It may not know
//! how any of them is used.
//!
//! Start reading at [`unpack`]; [`publish`] lays some of them out for build tools.
//!
//! Never uses: `std::process::Command`, `std::net`, `jvm`.

mod repository;

pub use repository::publish;

use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/files.rs"));
}

/// Why the embedded files could not be unpacked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{} cannot be written: {source}; point XDG_CACHE_HOME at a folder with space", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} cannot be written: {source}; choose another folder with --repository", path.display())]
    Publish { path: PathBuf, source: io::Error },
}

/// Where the embedded files lie, all of one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// librecrash.so: agent and restoring library in one.
    pub agent: PathBuf,
    /// recrash-junit.jar: what generated tests need at run time.
    pub junit_runtime: PathBuf,
    /// recrash-worker.jar: the warm JVM that runs candidates.
    pub worker: PathBuf,
    /// recrash-offline.jar: what instrumented programs carry.
    pub offline: PathBuf,
    /// recrash-api.jar: what programs with capture points are compiled against.
    pub api: PathBuf,
    /// junit-platform-console-standalone.jar
    pub junit5: PathBuf,
    /// junit4.jar and hamcrest-core.jar
    pub junit4: Vec<PathBuf>,
}

/// Unpacks the embedded files unless they are there already, into `$XDG_CACHE_HOME/recrash`, `~/.cache/recrash` or a
/// temporary folder, whichever can be written first.
pub fn unpack() -> Result<Paths, Error> {
    for folder in cache_folders() {
        if let Ok(paths) = unpack_into(&folder) {
            return Ok(paths);
        }
    }
    unpack_into(&own_folder_in(&env::temp_dir())?)
}

/// In a folder that all users share, another one may have put a library before us, or exchange it after we looked: what is
/// loaded into programs comes from a folder that is this user's alone.
fn own_folder_in(shared: &Path) -> Result<PathBuf, Error> {
    let user = rustix::process::geteuid().as_raw();
    let path = shared.join(format!("recrash-cache-{user}"));
    let made = match fs::DirBuilder::new().mode(0o700).create(&path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => fs::symlink_metadata(&path),
    };
    let checked = made.and_then(|found| {
        if found.is_dir() && found.uid() == user && found.mode() & 0o022 == 0 {
            return Ok(());
        }
        let reason = "others may change what is in it";
        Err(io::Error::new(io::ErrorKind::PermissionDenied, reason))
    });
    match checked {
        Ok(()) => Ok(path),
        Err(source) => Err(Error::Write { path, source }),
    }
}

/// Unpacks below `folder`, into a folder named by the content: versions never mix.
pub fn unpack_into(folder: &Path) -> Result<Paths, Error> {
    let folder = folder.join(embedded::HASH);
    for (name, bytes) in embedded::FILES {
        let path = folder.join(name);
        // Compared whole: a torn or foreign file must never be loaded into a program.
        if fs::read(&path).is_ok_and(|found| found == *bytes) {
            continue;
        }
        write(&path, bytes).map_err(|source| Error::Write { path, source })?;
    }
    Ok(Paths {
        agent: folder.join("librecrash.so"),
        junit_runtime: folder.join("recrash-junit.jar"),
        worker: folder.join("recrash-worker.jar"),
        offline: folder.join("recrash-offline.jar"),
        api: folder.join("recrash-api.jar"),
        junit5: folder.join("junit-platform-console-standalone.jar"),
        junit4: vec![folder.join("junit4.jar"), folder.join("hamcrest-core.jar")],
    })
}

/// Where this user's caches go, the first choice first; empty where the environment names no place.
pub fn cache_folders() -> Vec<PathBuf> {
    let absolute = |name: &str| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let cache = absolute("XDG_CACHE_HOME");
    let home = absolute("HOME").map(|home| home.join(".cache"));
    cache
        .into_iter()
        .chain(home)
        .map(|folder| folder.join("recrash"))
        .collect()
}

/// By rename: another process that unpacks at the same time sees a whole file or none, and a JVM that has the old file
/// mapped keeps it.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn files_are_unpacked_once_and_repaired_when_torn() {
        let folder = tempfile::tempdir().unwrap();
        let paths = unpack_into(folder.path()).unwrap();
        let library = fs::read(&paths.agent).unwrap();
        assert_eq!(&library[..4], b"\x7fELF");
        let written = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
        let before = written(&paths.worker);
        fs::write(&paths.agent, &library[..100]).unwrap();
        assert_eq!(unpack_into(folder.path()).unwrap(), paths);
        assert_eq!(fs::read(&paths.agent).unwrap(), library);
        assert_eq!(written(&paths.worker), before);
    }

    #[test]
    fn a_folder_that_others_may_change_is_not_used() {
        use std::os::unix::fs::PermissionsExt;
        let shared = tempfile::tempdir().unwrap();
        let own = own_folder_in(shared.path()).unwrap();
        assert_eq!(own_folder_in(shared.path()).unwrap(), own);
        assert_eq!(fs::metadata(&own).unwrap().mode() & 0o777, 0o700);
        fs::set_permissions(&own, fs::Permissions::from_mode(0o777)).unwrap();
        let error = own_folder_in(shared.path()).unwrap_err().to_string();
        assert!(error.contains("others may change"), "{error}");
        fs::remove_dir(&own).unwrap();
        std::os::unix::fs::symlink(shared.path(), &own).unwrap();
        assert!(own_folder_in(shared.path()).is_err());
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let error = unpack_into(&file).unwrap_err().to_string();
        assert!(error.contains(&file.display().to_string()), "{error}");
        assert!(error.contains("XDG_CACHE_HOME"), "{error}");
    }

    /// The module path refuses two modules of one package.
    #[test]
    fn no_package_is_in_two_of_our_jars() {
        let mut homes = BTreeMap::new();
        for (jar, bytes) in embedded::FILES {
            if !jar.starts_with("recrash-") {
                continue;
            }
            let archive = zip::ZipArchive::new(io::Cursor::new(*bytes)).unwrap();
            let classes = archive
                .file_names()
                .filter_map(|name| name.strip_suffix(".class"));
            for (package, _) in classes.filter_map(|name| name.rsplit_once('/')) {
                let home = *homes.entry(package.to_owned()).or_insert(jar);
                assert_eq!(home, jar, "both have {package}");
            }
        }
        assert_eq!(homes["recrash"], &"recrash-api.jar");
        assert!(homes.len() > 5, "{homes:?}");
    }
}
