//! The agent library and the Java classes, embedded in the binary and unpacked to a cache folder on first use.
//!
//! This crate knows bytes and file names. It may not know what any of the files is for.
//!
//! Start reading at [`unpack`].

use std::path::PathBuf;

/// Why the embedded files could not be unpacked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{} cannot be written: {source}; point XDG_CACHE_HOME at a folder with space", path.display())]
    Write {
        path: PathBuf,
        source: std::io::Error,
    },
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
    /// junit-platform-console-standalone.jar
    pub junit5: PathBuf,
    /// junit.jar and hamcrest-core.jar
    pub junit4: Vec<PathBuf>,
}
