use std::fmt;

use crate::verdict::FrameVerdict;

/// A verdict has fallen: what whoever waits for a job is told.
#[derive(Debug, Clone, Copy)]
pub struct Event<'a> {
    pub stage: Stage,
    /// How many verdicts of this stage there are, this one included, and how many there will be at most.
    pub done: usize,
    pub of: usize,
    pub verdict: &'a FrameVerdict,
}

/// What a frame was tried with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// With the state that was captured.
    AsCaptured,
    /// With states that the frames inside it saw.
    BetweenStates,
    /// With the state that a second look found.
    SecondLook,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stage::AsCaptured => "verifying",
            Stage::BetweenStates => "states between",
            Stage::SecondLook => "second look",
        })
    }
}

impl fmt::Display for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FrameVerdict { frame, verdict, .. } = self.verdict;
        match self.stage {
            Stage::AsCaptured => write!(
                f,
                "verifying: {} of {}, frame {frame} {verdict}",
                self.done, self.of
            ),
            stage => write!(f, "{stage}: frame {frame} {verdict}"),
        }
    }
}
