//! Private data out of a snapshot, and what that costs: every frame that reproduced is tried again.
//!
//! Where the crash does not survive, equivalents may be sought: values of the same shape in place of the redacted ones,
//! tried in a worker until one is found with which the crash remains. Every attempt starts from the original, in memory.

use crate::Listener;
use crate::error::{Error, Result};
use crate::signals;
use crate::tests::{place_of, tools};
use recrash_bundle::Paths;
use recrash_heap::{Manifest, Snapshot, look_frames, write_with_looks};
use recrash_jvm::{ClassPath, Jdk};
use recrash_privacy::{Notes, Outcome, ProgramNotes, Redactor, Rules, Secret, Shape};
use recrash_verify::{
    FrameVerdict, Verdict, VerifyOptions, choose_jdk, recorded_class_path, verify, verify_frames,
};
use std::fs::File;
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
    let original = Original::read(&options.snapshot)?;
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
    let jdk = choose_jdk(manifest, options.jdk.as_ref())?.jdk;
    let class_path = options.class_path.clone();
    let class_path = class_path.unwrap_or_else(|| recorded_class_path(manifest));
    let desk = Desk {
        original: &original,
        notes: Notes::of(&options.rules).on_class_path(
            class_path.entries().iter().map(PathBuf::as_path),
            manifest,
            &original.snapshot.heap,
        ),
        verify: VerifyOptions {
            tools: tools(&options.bundle),
            class_path: Some(class_path.clone()),
            jdk: Some(jdk.clone()),
            limit: options.limit,
        },
        scratch: scratch.path(),
    };
    listener.progress("trying the frames as they are");
    let path = options
        .snapshot
        .canonicalize()
        .map_err(Error::io(&options.snapshot))?;
    let before = verify(&path, manifest, &desk.verify, &mut |_| {})?.frames;
    let reproduced: Vec<usize> = before
        .iter()
        .filter(|verdict| verdict.verdict == Verdict::Reproduced)
        .map(|verdict| verdict.frame)
        .collect();
    let mut redactor = Redactor::new(options.rules.clone());
    listener.progress("trying them without private data");
    let mut best = desk.attempt(&redactor, &reproduced, 0)?;
    let mut equivalents = 0;
    if options.equivalent && best.kept < reproduced.len() {
        let secrets = best.outcome.secrets.clone();
        let search = Search {
            desk: &desk,
            reproduced: &reproduced,
            secrets: &secrets,
            listener,
            attempts: 0,
        };
        if let Some(found) = search.run(&mut redactor, best.kept)? {
            best = found;
            equivalents = secrets.len();
        }
    }
    std::fs::rename(&best.path, &options.output).map_err(Error::out(&options.output))?;
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(Error::out(folder))?;
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

/// The snapshot as it came, with the second looks it carries.
struct Original {
    snapshot: Snapshot,
    looks: Vec<(usize, Snapshot)>,
}

impl Original {
    fn read(path: &Path) -> Result<Self> {
        let snapshot = Snapshot::read(path)?;
        let mut looks = Vec::new();
        for frame in look_frames(path)? {
            looks.push((frame, Snapshot::read_for_frame(path, frame)?));
        }
        Ok(Self { snapshot, looks })
    }
}

struct Desk<'a> {
    original: &'a Original,
    notes: ProgramNotes,
    verify: VerifyOptions,
    scratch: &'a Path,
}

/// A redacted copy, and what it is worth.
struct Attempt {
    path: PathBuf,
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

impl Desk<'_> {
    fn attempt(&self, redactor: &Redactor, frames: &[usize], number: usize) -> Result<Attempt> {
        let (snapshot, outcome) = self.redacted(&self.original.snapshot, redactor, None)?;
        let mut path = self.scratch.join(format!("attempt-{number}.recrash"));
        snapshot.write(&path)?;
        let mut looks = Vec::new();
        for (frame, look) in &self.original.looks {
            let place = self.scratch.join(format!("look-{number}-{frame}.recrash"));
            let (look, _) = self.redacted(look, redactor, Some(&outcome))?;
            look.write(&place)?;
            looks.push((*frame, place));
        }
        if !looks.is_empty() {
            let whole = self.scratch.join(format!("whole-{number}.recrash"));
            write_with_looks(&path, &looks, &whole)?;
            path = whole;
        }
        let verified = verify_frames(&path, &snapshot.manifest, &self.verify, frames, &mut |_| {})?;
        let reproduced = |verdict: &&FrameVerdict| verdict.verdict == Verdict::Reproduced;
        Ok(Attempt {
            kept: verified.frames.iter().filter(reproduced).count(),
            verdicts: verified.frames,
            path,
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
    desk: &'a Desk<'a>,
    reproduced: &'a [usize],
    secrets: &'a [Secret],
    listener: &'a dyn Listener,
    attempts: usize,
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
                if most == self.reproduced.len() || self.attempts >= MOST_ATTEMPTS {
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
        self.attempts += 1;
        self.listener.progress(&format!(
            "looking for equivalents: attempt {}",
            self.attempts
        ));
        redactor.replace_as_ruled();
        for (secret, shape) in self.secrets.iter().zip(shapes) {
            redactor.replace(secret, *shape);
        }
        self.desk.attempt(redactor, self.reproduced, self.attempts)
    }
}
