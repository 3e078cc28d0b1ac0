use std::path::PathBuf;

pub type Result<T> = std::result::Result<T, Error>;

/// Why nothing at all could be tried.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Jvm(#[from] recrash_jvm::Error),
    #[error(
        "no JDK was found to run the tests of a program that ran on Java {version} ({home}); install one or set JAVA_HOME"
    )]
    NoJdk { version: String, home: String },
    #[error("{}: {source}", path.display())]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error(transparent)]
    Snapshot(#[from] recrash_heap::Error),
    #[error("no room for temporary files: {0}; set TMPDIR to a folder that can be written")]
    Scratch(std::io::Error),
    #[error("it was stopped before it was done")]
    Stopped,
}
