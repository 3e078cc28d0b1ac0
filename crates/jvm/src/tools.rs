use std::path::PathBuf;

/// The files of recrash's own that JVMs at the desk are started with, unpacked by whoever ships them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tools {
    /// librecrash.so
    pub library: PathBuf,
    /// recrash-junit.jar
    pub junit_runtime: PathBuf,
    /// recrash-worker.jar
    pub worker: PathBuf,
    /// junit-platform-console-standalone.jar
    pub junit5: PathBuf,
    /// junit.jar and hamcrest-core.jar
    pub junit4: Vec<PathBuf>,
}
