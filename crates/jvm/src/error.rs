use std::path::{Path, PathBuf};
use std::time::Duration;

pub type Result<T> = std::result::Result<T, Error>;

/// What can go wrong while driving a JVM. Each reads as a sentence that names the file and the way out.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{} is not a JDK: it has no bin/java; pass another folder with --jdk or JAVA_HOME", .0.display())]
    NotAJdk(PathBuf),
    #[error("{} does not say its version: neither its `release` file nor `java -version` could be read", .0.display())]
    NoVersion(PathBuf),
    #[error("no JDK was found; install one or set JAVA_HOME")]
    NoJdk,
    #[error("{} has no javac (it is a runtime, not a JDK); install the JDK or pass one with --jdk", .0.display())]
    NoJavac(PathBuf),
    #[error("{} could not be started: {source}", command.display())]
    Start {
        command: PathBuf,
        source: std::io::Error,
    },
    #[error("{} could not be watched: {source}", command.display())]
    Watch {
        command: PathBuf,
        source: std::io::Error,
    },
    #[error("{}: {source}", path.display())]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{} cannot be read as a jar: {reason}", path.display())]
    BadJar { path: PathBuf, reason: String },
    #[error("javac reported errors:\n{0}")]
    Compile(String),
    #[error("{what} did not end within {limit:?}")]
    TimeLimit { what: String, limit: Duration },
    #[error("the worker JVM did not start: {0}")]
    WorkerStart(String),
    #[error("the JVM with the compiler did not start: {0}")]
    CompilerStart(String),
    #[error("the worker JVM sent an answer that cannot be read: {0}")]
    Protocol(String),
}

impl Error {
    /// For `map_err`: what happened to that file.
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    }
}
