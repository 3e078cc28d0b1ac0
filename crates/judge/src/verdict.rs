use std::fmt;

use serde::{Deserialize, Serialize};

/// What became of a candidate, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The same exceptions, thrown at the same place.
    Reproduced,
    /// The same exceptions, thrown somewhere else.
    SameExceptionElsewhere,
    /// Another exception.
    OtherException,
    /// The method returned.
    Passes,
    TimedOut,
    /// It could not be run at all; the reason says why.
    NotRunnable,
}

impl Verdict {
    /// It ran to an end that is not the recorded one.
    pub fn ran_otherwise(self) -> bool {
        matches!(
            self,
            Verdict::SameExceptionElsewhere | Verdict::OtherException | Verdict::Passes
        )
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Reproduced => "reproduced",
            Verdict::SameExceptionElsewhere => "same exception elsewhere",
            Verdict::OtherException => "other exception",
            Verdict::Passes => "passes",
            Verdict::TimedOut => "timed out",
            Verdict::NotRunnable => "not runnable",
        })
    }
}
