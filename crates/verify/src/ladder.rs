use std::path::Path;
use std::time::Duration;

use recrash_heap::{EntryState, Manifest, carried_names};
use recrash_jvm::{ClassPath, Jdk, Loader, Outcome, Request, SHORT_LIVED, Worker, WorkerOptions};

use crate::environment::{Tools, choose_jdk, jvm_arguments, recorded_class_path};
use crate::error::Result;
use crate::judge::{Expected, judge};
use crate::trouble::Desk;
use crate::verdict::{FrameVerdict, Variant, Verdict, Verification};

/// Second tries in a JVM of their own cost a JVM start each; more than this many per snapshot are not worth it.
const SECOND_TRIES: u32 = 12;

/// Candidates that ran out of time twice, with and without static state; the time is the user's.
const LONG_TRIES: u32 = 3;

/// How to verify a snapshot.
#[derive(Debug, Clone)]
pub struct VerifyOptions {
    pub tools: Tools,
    /// The program's class path; `None` for the recorded one.
    pub class_path: Option<ClassPath>,
    /// `None` for the recorded JDK, or the nearest one found.
    pub jdk: Option<Jdk>,
    /// Per candidate.
    pub limit: Duration,
}

/// Runs every captured frame of a snapshot and judges it. `progress` hears of each verdict as it falls.
pub fn verify(
    snapshot: &Path,
    manifest: &Manifest,
    options: &VerifyOptions,
    progress: &mut dyn FnMut(&FrameVerdict),
) -> Result<Verification> {
    let captured: Vec<usize> = manifest
        .frames
        .iter()
        .enumerate()
        .filter(|(_, frame)| frame.captured.is_some())
        .map(|(number, _)| number)
        .collect();
    verify_frames(snapshot, manifest, options, &captured, progress)
}

/// As [`verify`], for some of the captured frames only.
pub fn verify_frames(
    snapshot: &Path,
    manifest: &Manifest,
    options: &VerifyOptions,
    wanted: &[usize],
    progress: &mut dyn FnMut(&FrameVerdict),
) -> Result<Verification> {
    let chosen = choose_jdk(manifest, options.jdk.as_ref())?;
    let class_path = options
        .class_path
        .clone()
        .unwrap_or_else(|| recorded_class_path(manifest));
    let feature = chosen.jdk.version.feature;
    let mut run = Run {
        snapshot,
        manifest,
        class_path: &class_path,
        limit: options.limit,
        same_jdk: chosen.jdk.version.text == manifest.environment.java_version,
        warm: worker(manifest, options, &chosen.jdk, &ClassPath::default()),
        fresh: worker(manifest, options, &chosen.jdk, &class_path),
        second_tries: 0,
        long_tries: 0,
    };
    let mut desk = Desk::new(&class_path, feature, carried_names(snapshot)?);
    let mut frames = Vec::new();
    for &number in wanted {
        let Some(frame) = manifest.frames.get(number) else {
            continue;
        };
        let verdict = match desk.examine(number, frame) {
            Err(reason) => not_runnable(number, reason),
            Ok(note) => {
                let mut verdict = run.climb(number)?;
                verdict.notes.extend(note);
                verdict
            }
        };
        progress(&verdict);
        frames.push(verdict);
    }
    Ok(Verification {
        frames,
        notes: chosen.note.into_iter().collect(),
        java_home: chosen.jdk.home.display().to_string(),
        java_version: chosen.jdk.version.text,
    })
}

pub(crate) fn worker(
    manifest: &Manifest,
    options: &VerifyOptions,
    jdk: &Jdk,
    class_path: &ClassPath,
) -> Worker {
    let tools = &options.tools;
    let mut arguments = jvm_arguments(&manifest.environment);
    arguments.extend(SHORT_LIVED.map(str::to_owned));
    arguments.push(format!("-Drecrash.library={}", tools.library.display()));
    Worker::new(WorkerOptions {
        jdk: jdk.clone(),
        class_path: class_path.after(&[&tools.worker, &tools.junit_runtime]),
        jvm_arguments: arguments,
        directory: manifest.environment.working_directory.clone().into(),
    })
}

fn not_runnable(frame: usize, reason: String) -> FrameVerdict {
    FrameVerdict {
        frame,
        verdict: Verdict::NotRunnable,
        variant: Variant::AsCaptured,
        reason: Some(reason),
        notes: Vec::new(),
    }
}

struct Run<'a> {
    snapshot: &'a Path,
    manifest: &'a Manifest,
    class_path: &'a ClassPath,
    limit: Duration,
    same_jdk: bool,
    /// Many candidates, each in a class loader of its own.
    warm: Worker,
    /// One candidate per JVM, in its system class loader: what a program sees that asks for that loader by name.
    fresh: Worker,
    second_tries: u32,
    long_tries: u32,
}

impl Run<'_> {
    /// Tries the variants in order and keeps the first that reproduces, else the best.
    fn climb(&mut self, frame: usize) -> Result<FrameVerdict> {
        let mut best: Option<FrameVerdict> = None;
        for variant in variants(self.manifest, frame) {
            let tried = self.attempt(frame, variant, false)?;
            let verdict = tried.verdict;
            keep_better(&mut best, tried);
            match verdict {
                Verdict::Reproduced => break,
                // A static pool waits for threads that are not restored; one made anew has its own. What runs too long
                // even so does for another reason.
                Verdict::TimedOut if variant.statics() && self.long_tries < LONG_TRIES => {}
                Verdict::TimedOut => {
                    self.long_tries += 1;
                    break;
                }
                _ => {}
            }
        }
        let settled = best
            .as_ref()
            .is_none_or(|best| matches!(best.verdict, Verdict::Reproduced | Verdict::TimedOut));
        if !settled && self.second_tries < SECOND_TRIES {
            self.second_tries += 1;
            for &variant in self.second_variants(frame) {
                let tried = self.attempt(frame, variant, true)?;
                self.fresh.stop();
                let verdict = tried.verdict;
                keep_better(&mut best, tried);
                if verdict == Verdict::Reproduced {
                    break;
                }
            }
        }
        Ok(best.unwrap_or_else(|| not_runnable(frame, "there is nothing to restore".to_owned())))
    }

    /// Of the outermost frame also without static state: in a JVM of its own that is the program from its start.
    fn second_variants(&self, frame: usize) -> &'static [Variant] {
        let mut outside = self.manifest.frames.iter().skip(frame + 1);
        let outermost = outside.all(|frame| frame.captured.is_none());
        if outermost && !self.manifest.statics.is_empty() {
            &[Variant::AsCaptured, Variant::WithoutStatics]
        } else {
            &[Variant::AsCaptured]
        }
    }

    fn attempt(
        &mut self,
        frame: usize,
        variant: Variant,
        system_loader: bool,
    ) -> Result<FrameVerdict> {
        let request = Request {
            snapshot: self.snapshot.to_owned(),
            frame: frame as u32,
            flags: variant.flags(),
            class_path: self.class_path.entries().to_vec(),
            limit: self.limit,
            stack_size: 0,
            loader: if system_loader {
                Loader::System
            } else {
                Loader::Own
            },
            plan: None,
        };
        let worker = if system_loader {
            &mut self.fresh
        } else {
            &mut self.warm
        };
        let answer = worker.ask(&request)?;
        let expected = Expected {
            manifest: self.manifest,
            frame,
            same_jdk: self.same_jdk,
        };
        let (verdict, mut reason) = judge(&expected, &answer.outcome);
        if matches!(answer.outcome, Outcome::Returned) && !self.manifest.limits.is_empty() {
            reason = reason.map(|reason| {
                format!(
                    "{reason}; the snapshot is cut: {}",
                    self.manifest.limits.join("; ")
                )
            });
        }
        Ok(FrameVerdict {
            frame,
            verdict,
            variant,
            reason,
            notes: Vec::new(),
        })
    }
}

/// How a frame can be restored, in the order to try. Without statics or patches their absence is no variant.
pub fn variants(manifest: &Manifest, frame: usize) -> Vec<Variant> {
    let statics = !manifest.statics.is_empty() || !manifest.thread_locals.is_empty();
    let patches = !EntryState::of(&manifest.frames, frame).is_empty();
    Variant::LADDER
        .into_iter()
        .filter(|variant| (statics || variant.statics()) && (patches || variant.patches()))
        .collect()
}

fn keep_better(best: &mut Option<FrameVerdict>, tried: FrameVerdict) {
    if best
        .as_ref()
        .is_none_or(|best| tried.verdict < best.verdict)
    {
        *best = Some(tried);
    }
}
