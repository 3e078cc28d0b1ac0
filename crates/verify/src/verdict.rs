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

/// How much of the snapshot a candidate restores beside receiver and arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    #[default]
    AsCaptured,
    /// Static fields and thread locals keep what class initialisation gives them.
    WithoutStatics,
    /// Objects are as they were at the failure, not as they were on entry.
    WithoutPatches,
    WithoutStaticsAndPatches,
}

impl Variant {
    /// In the order they are tried.
    pub const LADDER: [Variant; 4] = [
        Variant::AsCaptured,
        Variant::WithoutStatics,
        Variant::WithoutPatches,
        Variant::WithoutStaticsAndPatches,
    ];

    pub fn statics(self) -> bool {
        matches!(self, Variant::AsCaptured | Variant::WithoutPatches)
    }

    pub fn patches(self) -> bool {
        matches!(self, Variant::AsCaptured | Variant::WithoutStatics)
    }

    #[must_use]
    pub fn without_statics(self) -> Variant {
        if self.patches() {
            Variant::WithoutStatics
        } else {
            Variant::WithoutStaticsAndPatches
        }
    }

    /// The flags of `recrash.junit.Native.plan`.
    pub fn flags(self) -> u32 {
        u32::from(!self.statics()) | u32::from(!self.patches()) << 1
    }
}

/// The judgement over one captured frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameVerdict {
    /// Index into the manifest's frames.
    pub frame: usize,
    pub verdict: Verdict,
    /// The variant that gave this verdict; for a reproduced frame the one a test should use.
    pub variant: Variant,
    /// A sentence for the user: why it is not `Reproduced`.
    pub reason: Option<String>,
    /// Sentences that qualify the verdict: a class that differs from the one that ran, another JDK.
    pub notes: Vec<String>,
}

/// All frames of a snapshot, and what holds for the whole run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    /// One per captured frame, in the manifest's order.
    pub frames: Vec<FrameVerdict>,
    pub notes: Vec<String>,
    /// Home of the JDK the candidates ran on.
    pub java_home: String,
    pub java_version: String,
}

impl Verification {
    pub fn reproduced(&self) -> usize {
        self.frames
            .iter()
            .filter(|frame| frame.verdict == Verdict::Reproduced)
            .count()
    }
}
