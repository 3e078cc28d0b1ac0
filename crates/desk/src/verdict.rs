use recrash_heap::PlanOptions;
use recrash_judge::Verdict;
use serde::{Deserialize, Serialize};

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

    /// What a restore plan of it has.
    pub fn plan_options(self) -> PlanOptions {
        PlanOptions {
            statics: self.statics(),
            patches: self.patches(),
        }
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
