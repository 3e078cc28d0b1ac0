use std::path::PathBuf;

pub type Result<T> = std::result::Result<T, Error>;

/// Why nothing at all could be verified.
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
    #[error("{} holds no Java source file", .0.display())]
    NoSource(PathBuf),
    #[error("JUnit did not run: {0}")]
    JunitDidNotRun(String),
    #[error("the report of JUnit cannot be read: {0}")]
    JunitReport(String),
}
