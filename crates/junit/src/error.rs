use std::path::PathBuf;

pub type Result<T> = std::result::Result<T, Error>;

/// Why JUnit said nothing.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Jvm(#[from] recrash_jvm::Error),
    #[error("{}: {source}", path.display())]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{} holds no Java source file", .0.display())]
    NoSource(PathBuf),
    #[error("JUnit did not run: {0}")]
    DidNotRun(String),
    #[error("the report of JUnit cannot be read: {0}")]
    Report(String),
}
