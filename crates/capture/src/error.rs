use std::path::PathBuf;

pub type Result<T> = std::result::Result<T, Error>;

/// Why a program could not be run or no tests could be made; each reads as a sentence with the way out.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{command}: command not found")]
    NotFound { command: String },
    #[error("{command} could not be started: {source}")]
    NotStarted {
        command: String,
        source: std::io::Error,
    },
    #[error("{} cannot be written: {source}; choose another folder with --out", path.display())]
    Out {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("temporary files cannot be written to {}: {source}; point TMPDIR at a folder that can be written", path.display())]
    Scratch {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{} was not made by recrash and is not replaced; choose another folder with --out", .0.display())]
    Foreign(PathBuf),
    #[error("signals cannot be passed on: {0}")]
    Signals(std::io::Error),
    #[error("{}: {source}", path.display())]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error(transparent)]
    Heap(#[from] recrash_heap::Error),
    #[error(transparent)]
    Jvm(#[from] recrash_jvm::Error),
    #[error(transparent)]
    Desk(#[from] recrash_desk::Error),
    #[error(transparent)]
    Junit(#[from] recrash_junit::Error),
    #[error(transparent)]
    Privacy(#[from] recrash_privacy::Error),
    #[error(transparent)]
    Javagen(#[from] recrash_javagen::Error),
    #[error(transparent)]
    Bundle(#[from] recrash_bundle::Error),
    #[error(transparent)]
    Watch(#[from] recrash_watchlist::Error),
    #[error(
        "{name} holds no stack trace; its lines look like `at com.acme.Order.total(Order.java:12)`"
    )]
    NoTrace { name: String },
    #[error("{name} names only methods of the JDK, which are not watched")]
    NothingToWatch { name: String },
    #[error("{} holds no captured frame that could become a test", .0.display())]
    NothingCaptured(PathBuf),
    #[error("{} cannot be read: {reason}; `recrash tests` makes it anew", path.display())]
    Stored { path: PathBuf, reason: String },
    #[error("{} holds the tests of another crash, {snapshot}; `recrash tests` makes those of this one", folder.display())]
    OtherCrash { folder: PathBuf, snapshot: String },
}

impl Error {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.into();
        move |source| Error::Io { path, source }
    }

    pub(crate) fn out(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.into();
        move |source| Error::Out { path, source }
    }
}
