use std::path::PathBuf;

pub type Result<T> = std::result::Result<T, Error>;

/// Why a snapshot could not be made smaller; each reads as a sentence with the way out.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{} holds no captured frame whose crash could be kept", .0.display())]
    NothingCaptured(PathBuf),
    #[error("{}: no frame reproduces the crash, so nothing tells what may go; frame {frame}: {reason}", file.display())]
    NothingReproduces {
        file: PathBuf,
        frame: usize,
        reason: String,
    },
    #[error("{}: frame {frame} does not reproduce the crash, so nothing tells what may go: {reason}", file.display())]
    FrameDoesNotReproduce {
        file: PathBuf,
        frame: usize,
        reason: String,
    },
    #[error("{} would replace the snapshot itself; choose another file with -o", .0.display())]
    SameFile(PathBuf),
    #[error("there is nothing to resume: {} does not exist; leave --resume out", .0.display())]
    NothingToResume(PathBuf),
    #[error("{} is the progress of another snapshot, or of other frames; leave --resume out to begin anew", .0.display())]
    OtherProgress(PathBuf),
    #[error("{} cannot be written: {source}; choose another file with -o", path.display())]
    Out {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{}: {source}", path.display())]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("no room for temporary files: {0}; set TMPDIR to a folder that can be written")]
    Scratch(std::io::Error),
    #[error(transparent)]
    Heap(#[from] recrash_heap::Error),
    #[error(transparent)]
    Desk(#[from] recrash_desk::Error),
}

impl Error {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.into();
        move |source| Error::Io { path, source }
    }
}
