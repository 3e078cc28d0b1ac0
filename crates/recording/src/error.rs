//! What can be wrong with a recording.

/// A file that is no recording, or one that contradicts itself.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{path} cannot be read: {source}")]
    Unreadable {
        path: String,
        source: std::io::Error,
    },
    #[error("this is no recording: it does not begin like one")]
    Foreign,
    #[error(
        "the recording has version {found} of the format, this recrash reads version {known}; use the recrash that made it"
    )]
    Version { found: u16, known: u16 },
    #[error("the recording is empty: the program was gone before anything was written")]
    Empty,
    #[error("the recording is damaged: {what} at byte {at}")]
    Damaged { what: &'static str, at: u64 },
    #[error("the recording has more than {most} {what}; raise the limit if you trust it")]
    TooMany { what: &'static str, most: u64 },
}

pub type Result<T> = std::result::Result<T, Error>;
