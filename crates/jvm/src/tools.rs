use std::path::PathBuf;

use crate::compile::Compilers;

/// The files of recrash's own that JVMs at the desk are started with, unpacked by whoever ships them.
#[derive(Debug, Clone)]
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
    /// Warm, for whatever is compiled from now on.
    pub compilers: Compilers,
}
