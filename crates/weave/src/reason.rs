//! Why classes and methods stay as they are.

use recrash_classfile::Error;

/// Why a whole class stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    #[error("the policy excludes it")]
    Excluded,
    #[error("it has no method worth monitoring")]
    NothingToMonitor,
    #[error("it is woven already")]
    AlreadyWoven,
    #[error(
        "every method worth monitoring had to be skipped, the first one ({method}) because {why}"
    )]
    AllSkipped { method: String, why: SkipReason },
    #[error("{0}")]
    Malformed(#[from] Error),
}

/// A method that stays as it is while the rest of its class is woven.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    pub method: String,
    pub descriptor: String,
    pub why: SkipReason,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SkipReason {
    #[error("the JIT compiler refuses methods of more than 8000 bytes, which it would become")]
    TooLongToCompile,
    #[error(
        "the old values of what it writes are not kept: the JIT compiler refuses methods of more than 8000 bytes, which it \
         would become"
    )]
    TooLongToKeepWrites,
    #[error("its call of super(...) or this(...) could not be told apart")]
    UnclearSuperCall,
    #[error("{0}")]
    CannotPatch(#[from] Error),
}
