//! The one error of this crate: each variant is a defect and carries the value that offends.

/// Why a class file or a jar cannot be read or patched. Offsets count from the start of the class file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("the class file ends at offset {offset} where more is needed")]
    Truncated { offset: usize },
}
