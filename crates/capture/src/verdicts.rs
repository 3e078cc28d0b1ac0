//! `verdicts.json`: what was tried, what came out, which test stands for it.

use recrash_desk::{FrameVerdict, Variant, Verification};
use recrash_heap::manifest::Manifest;
use recrash_judge::Verdict;
use recrash_report::{Row, Standing};
use serde::{Deserialize, Serialize};

/// The version in the file's `schema` key.
const SCHEMA: u32 = 1;

/// The verdicts over one snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdicts {
    pub schema: u32,
    /// File name of the snapshot.
    pub snapshot: String,
    /// Class of the exception.
    pub exception: String,
    pub fingerprint: String,
    pub java_home: String,
    pub java_version: String,
    /// Qualified name of the generated class; absent when nothing was reproduced.
    pub test_class: Option<String>,
    pub notes: Vec<String>,
    /// One per frame that was tried: the application's, then those of libraries, each innermost first.
    pub frames: Vec<FrameReport>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameReport {
    pub frame: usize,
    pub class: String,
    pub method: String,
    pub line: i32,
    pub verdict: Verdict,
    pub variant: Variant,
    pub reason: Option<String>,
    pub notes: Vec<String>,
    /// Name of the test method.
    pub test: Option<String>,
    /// It fails on its own null argument only.
    pub trivial: bool,
    /// The test needs neither the snapshot nor anything else of recrash.
    #[serde(default)]
    pub self_contained: bool,
    /// What keeps it from that.
    #[serde(default)]
    pub obstacle: Option<String>,
}

impl Verdicts {
    pub(crate) fn new(snapshot: &str, manifest: &Manifest, verification: &Verification) -> Self {
        Verdicts {
            schema: SCHEMA,
            snapshot: snapshot.to_owned(),
            exception: manifest
                .throwables
                .first()
                .map_or_else(String::new, |throwable| throwable.class.clone()),
            fingerprint: manifest.fingerprint.clone(),
            java_home: verification.java_home.clone(),
            java_version: verification.java_version.clone(),
            test_class: None,
            notes: verification.notes.clone(),
            frames: application_first(manifest, verification),
        }
    }

    pub fn reproduced(&self) -> usize {
        self.frames
            .iter()
            .filter(|frame| frame.verdict == Verdict::Reproduced)
            .count()
    }

    /// The frames of which a test could show that the bug is repaired.
    pub fn candidates(&self) -> usize {
        let frames = self.frames.iter();
        frames.filter(|frame| frame.verdict.counts()).count()
    }

    pub fn self_contained(&self) -> usize {
        self.frames
            .iter()
            .filter(|frame| frame.self_contained)
            .count()
    }

    /// For the table on the terminal.
    pub fn rows(&self) -> Vec<Row> {
        self.frames.iter().map(FrameReport::row).collect()
    }
}

fn application_first(manifest: &Manifest, verification: &Verification) -> Vec<FrameReport> {
    let own = manifest.own_frames();
    let frames = verification.frames.iter();
    let mut reports: Vec<FrameReport> = frames.map(|it| report(manifest, it)).collect();
    reports.sort_by_key(|report| (!own.contains(&report.frame), report.frame));
    reports
}

fn report(manifest: &Manifest, verdict: &FrameVerdict) -> FrameReport {
    let element = manifest
        .frames
        .get(verdict.frame)
        .map(|frame| &frame.element);
    FrameReport {
        frame: verdict.frame,
        class: element.map_or_else(String::new, |element| element.class.clone()),
        method: element.map_or_else(String::new, |element| element.method.clone()),
        line: element.map_or(-1, |element| element.line),
        verdict: verdict.verdict,
        variant: verdict.variant,
        reason: verdict.reason.clone(),
        notes: verdict.notes.clone(),
        test: None,
        trivial: recrash_javagen::is_trivial(manifest, verdict.frame),
        self_contained: false,
        obstacle: None,
    }
}

impl FrameReport {
    /// Why there is no test of a frame that reproduces: only self-contained ones were wanted.
    fn without_test(&self) -> Option<String> {
        let obstacle = self.obstacle.as_ref().filter(|_| self.test.is_none())?;
        Some(format!("not self-contained: {obstacle}"))
    }

    fn row(&self) -> Row {
        let standing = match self.verdict {
            Verdict::Reproduced => Standing::Reproduced,
            Verdict::SameExceptionElsewhere => Standing::Near,
            verdict if !verdict.counts() => Standing::Aside,
            _ => Standing::Failed,
        };
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.test.as_ref().map(|test| format!("{test}()")));
        if self.verdict == Verdict::Reproduced {
            parts.extend(self.self_contained.then(|| "self-contained".to_owned()));
            parts.extend(self.without_test());
            parts.extend(
                self.trivial
                    .then(|| "trivial: its own argument is null".to_owned()),
            );
            parts.extend(match self.variant {
                Variant::AsCaptured => None,
                Variant::WithoutStatics => Some("without static state".to_owned()),
                Variant::WithoutPatches => Some("with objects as of the failure".to_owned()),
                Variant::WithoutStaticsAndPatches => {
                    Some("without static state, with objects as of the failure".to_owned())
                }
            });
        }
        parts.extend(self.reason.clone());
        parts.extend(self.notes.iter().cloned());
        Row {
            frame: self.frame,
            method: format!("{}.{}", short_class(&self.class), self.method),
            standing,
            verdict: self.verdict.to_string(),
            reason: parts.join("; "),
            test: self.test.clone(),
        }
    }
}

fn short_class(class: &str) -> String {
    recrash_report::class_name(class)
}
