use std::path::PathBuf;

pub type Result<T> = std::result::Result<T, Error>;

/// What can go wrong while a program is read. Each reads as a sentence that names the file and the way out.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{} does not exist; pass the jar or folder that has the program's classes", .0.display())]
    Missing(PathBuf),
    #[error("{} has no lib/modules: it is not a JDK 9 or newer; pass another folder with --jdk or JAVA_HOME", .0.display())]
    NoImage(PathBuf),
    #[error("{}: {source}", path.display())]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("results cannot be stored: {0}")]
    Encode(postcard::Error),
    #[error(transparent)]
    Class(#[from] recrash_classfile::Error),
}
