//! How a search ended.

use serde::Serialize;

/// What became of a trace, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Reproduced,
    NotFound,
    /// The class path is not of the program that printed the trace.
    Misfit,
    /// All frames are the JDK's.
    NothingToCall,
}
