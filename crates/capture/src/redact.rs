//! Private data out of a snapshot, and what that costs: every frame that reproduced is tried again.
//!
//! Where the crash does not survive, equivalents may be sought: values of the same shape in place of the redacted ones,
//! tried in a worker until one is found with which the crash remains. Every attempt starts from the original, in memory.

use crate::Listener;
use crate::error::{Error, Result};
use crate::folder::place_of;
use crate::signals;
use crate::tests::tools;
use recrash_bundle::Paths;
use recrash_desk::{Desk, FrameVerdict, Settings, Stop, verify, verify_frames};
use recrash_heap::{Crash, Manifest, Snapshot};
use recrash_judge::Verdict;
use recrash_jvm::{ClassPath, Jdk};
use recrash_privacy::{Notes, Outcome, ProgramNotes, Redactor, Rules, Secret, Shape};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Attempts at equivalents; each runs the frames anew.
const MOST_ATTEMPTS: usize = 40;

/// With more values than this they are replaced together, not one by one.
const MOST_SINGLE: usize = 8;

#[derive(Debug, Clone)]
pub struct RedactOptions {
    pub snapshot: PathBuf,
    /// May be the snapshot itself.
    pub output: PathBuf,
    pub rules: Rules,
    /// Whether other values may be put in place of the redacted ones.
    pub equivalent: bool,
    /// `None`: the recorded one.
    pub class_path: Option<ClassPath>,
    /// `None`: the recorded one, or the nearest.
    pub jdk: Option<Jdk>,
    /// Per candidate.
    pub limit: Duration,
    pub bundle: Paths,
}

/// What became of the snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted {
    pub path: PathBuf,
    /// Places that changed.
    pub redactions: u64,
    /// Different values among them.
    pub values: usize,
    /// Values that have an equivalent.
    pub equivalents: usize,
    pub reproduced_before: usize,
    /// Of those, the frames that do not any more.
    pub lost: Vec<LostFrame>,
    /// Why no frame reproduced before, where that is known.
    pub trouble: Option<String>,
    /// A folder of tests that still hold what was redacted.
    pub stale_tests: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostFrame {
    pub frame: usize,
    pub method: String,
    pub reason: String,
}

/// Redacts a snapshot. The result appears under its name when it is whole; on an error nothing has changed.
pub fn redact(options: &RedactOptions, listener: &dyn Listener) -> Result<Redacted> {
    let original = Crash::read(&options.snapshot)?;
    let manifest = &original.snapshot.manifest;
    signals::listen()?;
    let folder = options
        .output
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let scratch = tempfile::Builder::new()
        .prefix(".recrash-redact-")
        .tempdir_in(folder)
        .map_err(Error::out(folder))?;
    // A signal takes it away; otherwise it goes at the end, whatever that is.
    let _unfinished = Unfinished::new(scratch.path());
    let settings = Settings {
        tools: tools(&options.bundle),
        class_path: options.class_path.clone(),
        jdk: options.jdk.clone(),
        limit: options.limit,
        unpacked: scratch.path().to_owned(),
        stop: Stop::default(),
    };
    let desk = Desk::new(&original, settings)?;
    let attempts = Attempts {
        original: &original,
        notes: Notes::of(&options.rules).on_class_path(
            desk.class_path().entries().iter().map(PathBuf::as_path),
            manifest,
            &original.snapshot.heap,
        ),
        desk: &desk,
    };
    listener.progress("trying the frames as they are");
    let before = verify(&desk, &original, &mut |_| {})?.frames;
    let reproduced: Vec<usize> = before
        .iter()
        .filter(|verdict| verdict.verdict == Verdict::Reproduced)
        .map(|verdict| verdict.frame)
        .collect();
    let mut redactor = Redactor::new(options.rules.clone());
    listener.progress("trying them without private data");
    let mut best = attempts.attempt(&redactor, &reproduced)?;
    let mut equivalents = 0;
    if options.equivalent && best.kept < reproduced.len() {
        let secrets = best.outcome.secrets.clone();
        let search = Search {
            attempts: &attempts,
            reproduced: &reproduced,
            secrets: &secrets,
            listener,
            made: 0,
        };
        if let Some(found) = search.run(&mut redactor, best.kept)? {
            best = found;
            equivalents = secrets.len();
        }
    }
    best.crash.write(&options.output)?;
    let stale = place_of(&options.snapshot, None);
    Ok(Redacted {
        path: options.output.clone(),
        redactions: best.outcome.redactions,
        values: best.outcome.secrets.len(),
        equivalents,
        reproduced_before: reproduced.len(),
        trouble: before.into_iter().find_map(|verdict| verdict.reason),
        lost: best.lost(manifest),
        stale_tests: stale
            .join(crate::folder::VERDICTS)
            .is_file()
            .then_some(stale),
    })
}

/// A folder that a signal removes.
struct Unfinished<'a>(&'a Path);

impl<'a> Unfinished<'a> {
    fn new(folder: &'a Path) -> Self {
        signals::unfinished(folder);
        Self(folder)
    }
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        signals::finished(self.0);
    }
}

/// What redacted copies are made of and tried with.
struct Attempts<'a> {
    original: &'a Crash,
    notes: ProgramNotes,
    desk: &'a Desk,
}

/// A redacted copy, and what it is worth.
struct Attempt {
    crash: Crash,
    outcome: Outcome,
    /// How many of the frames still reproduce.
    kept: usize,
    verdicts: Vec<FrameVerdict>,
}

impl Attempt {
    fn lost(&self, manifest: &Manifest) -> Vec<LostFrame> {
        let verdicts = self.verdicts.iter();
        verdicts
            .filter(|verdict| verdict.verdict != Verdict::Reproduced)
            .map(|verdict| {
                let element = manifest
                    .frames
                    .get(verdict.frame)
                    .map(|frame| &frame.element);
                let reason = verdict.reason.clone();
                LostFrame {
                    frame: verdict.frame,
                    method: element.map_or_else(String::new, |element| {
                        format!("{}.{}", element.class, element.method)
                    }),
                    // What the frame throws now may tell what it was called with.
                    reason: self
                        .outcome
                        .without_secrets(&reason.unwrap_or_else(|| verdict.verdict.to_string())),
                }
            })
            .collect()
    }
}

impl Attempts<'_> {
    fn attempt(&self, redactor: &Redactor, frames: &[usize]) -> Result<Attempt> {
        let (snapshot, outcome) = self.redacted(&self.original.snapshot, redactor, None)?;
        let mut crash = self.original.with(snapshot);
        for (frame, look) in &self.original.looks {
            let (look, _) = self.redacted(look, redactor, Some(&outcome))?;
            crash.looks.insert(*frame, look);
        }
        let verified = verify_frames(self.desk, &crash, frames, &mut |_| {})?;
        let reproduced = |verdict: &&FrameVerdict| verdict.verdict == Verdict::Reproduced;
        Ok(Attempt {
            kept: verified.frames.iter().filter(reproduced).count(),
            verdicts: verified.frames,
            crash,
            outcome,
        })
    }

    fn redacted(
        &self,
        original: &Snapshot,
        redactor: &Redactor,
        earlier: Option<&Outcome>,
    ) -> Result<(Snapshot, Outcome)> {
        let mut copy = original.clone();
        let (manifest, heap) = (&mut copy.manifest, &mut copy.heap);
        let outcome = redactor.redact_after(earlier, manifest, heap, &self.notes)?;
        Ok((copy, outcome))
    }
}

/// The search for equivalents.
struct Search<'a> {
    attempts: &'a Attempts<'a>,
    reproduced: &'a [usize],
    secrets: &'a [Secret],
    listener: &'a dyn Listener,
    made: usize,
}

impl Search<'_> {
    /// An attempt that keeps more frames than `kept`, and as many as can be.
    fn run(mut self, redactor: &mut Redactor, kept: usize) -> Result<Option<Attempt>> {
        let mut best: Option<Attempt> = None;
        let mut most = kept;
        let mut shapes: Vec<Shape> = Vec::new();
        for shape in Shape::ATTEMPTS {
            let all = vec![shape; self.secrets.len()];
            let attempt = self.with(redactor, &all)?;
            if attempt.kept > most || best.is_none() && attempt.kept == most && shapes.is_empty() {
                most = most.max(attempt.kept);
                shapes = all;
                best = Some(attempt).filter(|attempt| attempt.kept > kept);
            }
            if most == self.reproduced.len() {
                return Ok(best);
            }
        }
        if self.secrets.len() > MOST_SINGLE {
            return Ok(best);
        }
        // Values of different kinds may need different shapes.
        for index in 0..shapes.len() {
            for shape in Shape::ATTEMPTS {
                if most == self.reproduced.len() || self.made >= MOST_ATTEMPTS {
                    return Ok(best);
                }
                let mut other = shapes.clone();
                if let Some(place) = other.get_mut(index) {
                    *place = shape;
                }
                let attempt = self.with(redactor, &other)?;
                if attempt.kept > most {
                    most = attempt.kept;
                    shapes = other;
                    best = Some(attempt);
                }
            }
        }
        Ok(best)
    }

    fn with(&mut self, redactor: &mut Redactor, shapes: &[Shape]) -> Result<Attempt> {
        self.made += 1;
        self.listener
            .progress(&format!("looking for equivalents: attempt {}", self.made));
        redactor.replace_as_ruled();
        for (secret, shape) in self.secrets.iter().zip(shapes) {
            redactor.replace(secret, *shape);
        }
        self.attempts.attempt(redactor, self.reproduced)
    }
}
