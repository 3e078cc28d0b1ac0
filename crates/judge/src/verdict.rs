use std::fmt;

use serde::{Deserialize, Serialize};

/// What became of a candidate, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The same exceptions, thrown at the same place.
    Reproduced,
    /// The same exceptions, but they were part of what the frame was given: it only passes them on, and no repair of the
    /// program would let it pass.
    PassesOn,
    /// The same exceptions, thrown somewhere else.
    SameExceptionElsewhere,
    /// Another exception.
    OtherException,
    /// The method returned.
    Passes,
    TimedOut,
    /// It failed as recorded, but it serves a connection, which is closed here: repaired, it would fail at that.
    NeedsServer,
    /// Its class exists in the packaged application only, and the build that would run its test does not know it.
    OutsideBuild,
    /// It could not be run at all; the reason says why.
    NotRunnable,
}

impl Verdict {
    /// Whether a test of it could show that the bug is repaired; frames of which none can are not counted.
    pub fn counts(self) -> bool {
        !matches!(
            self,
            Verdict::PassesOn | Verdict::NeedsServer | Verdict::OutsideBuild
        )
    }

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
            Verdict::PassesOn => "only passes it on",
            Verdict::NeedsServer => "needs the server",
            Verdict::OutsideBuild => "needs classes outside the build",
            Verdict::SameExceptionElsewhere => "same exception elsewhere",
            Verdict::OtherException => "other exception",
            Verdict::Passes => "passes",
            Verdict::TimedOut => "timed out",
            Verdict::NotRunnable => "not runnable",
        })
    }
}
