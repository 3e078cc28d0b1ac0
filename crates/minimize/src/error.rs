use std::path::{Path, PathBuf};

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the JVM that plays the run again cannot be started: {0}")]
    Player(String),
    #[error("the JVM that plays the run again said what makes no sense: {0}")]
    Answer(String),
    #[error(
        "the program ends well when its main class is run again; only a failure can be reduced, so pass the arguments with which it fails"
    )]
    NoFailure,
    #[error("{main} cannot be run step by step: {what}")]
    Unsupported { main: String, what: String },
    #[error(
        "the program did not fail within {seconds} s when its main class was run again; give it longer with --timeout"
    )]
    TooLong { seconds: u64 },
    #[error(
        "{0} is thrown before any call reached a class beside the driver; there is nothing to reduce"
    )]
    NothingObserved(String),
    #[error(transparent)]
    Junit(#[from] recrash_junit::Error),
    #[error("{}: {source}", path.display())]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    }
}
