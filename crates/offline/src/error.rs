use recrash_weave::Strategy;
use std::io;
use std::path::PathBuf;

pub type Result<T> = std::result::Result<T, Error>;

/// Why nothing was instrumented; each reads as a sentence with the way out.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{} cannot be read: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{place} is not a jar that can be read: {detail}; name a jar, a WAR or a folder")]
    Archive { place: String, detail: String },
    #[error(
        "{place} is larger than {limit} bytes unpacked; leave it out of the jar or instrument the parts"
    )]
    TooLarge { place: String, limit: u64 },
    #[error("{} contains no class file; name a jar, a WAR or a folder of classes", .0.display())]
    NoClasses(PathBuf),
    #[error("{place} is instrumented already; instrument the original")]
    AlreadyInstrumented { place: String },
    #[error(
        "strategy {0} calls the recorder all the time, but an instrumented program must run without it, too; use auto or \
         reference, or run the program under `recrash run`"
    )]
    NeedsRecorder(Strategy),
    #[error("{} is the input itself; name another file with -o", .0.display())]
    OutputIsInput(PathBuf),
    #[error("{} exists already and is not replaced; name a new folder with -o", .0.display())]
    OutputExists(PathBuf),
    #[error("{} cannot be written: {source}; name another place with -o", path.display())]
    Write { path: PathBuf, source: io::Error },
}
