//! The ladder of variants: how much of a snapshot is restored with a frame, until it fails as recorded.

use std::time::Duration;

use recrash_heap::manifest::{FrameInfo, Whose};
use recrash_heap::{Crash, EntryState, Manifest, plan};
use recrash_judge::Verdict;
use recrash_jvm::{Loader, Outcome};

use crate::connection::serves_one;
use crate::desk::Desk;
use crate::error::Result;
use crate::event::{Event, Stage};
use crate::preflight::Preflight;
use crate::trials::{Trial, Trials};
use crate::verdict::{FrameVerdict, Variant, Verification};

/// Second tries in a JVM of their own cost a JVM start each; more than this many per snapshot are not worth it.
const SECOND_TRIES: u32 = 12;

/// Candidates that ran out of time twice, with and without static state; the time is the user's.
const LONG_TRIES: u32 = 3;

/// Runs every captured frame of a crash and judges it; [`Event`]s tell of each verdict as it falls.
pub fn verify(
    desk: &Desk,
    crash: &Crash,
    tell: &mut dyn FnMut(&Event<'_>),
) -> Result<Verification> {
    verify_frames(desk, crash, &captured(&crash.snapshot.manifest), tell)
}

/// The numbers of the frames that were captured.
pub(crate) fn captured(manifest: &Manifest) -> Vec<usize> {
    let frames = manifest.frames.iter().enumerate();
    frames
        .filter(|(_, frame)| frame.captured.is_some())
        .map(|(number, _)| number)
        .collect()
}

/// As [`verify`], for some of the captured frames only, in this order.
pub fn verify_frames(
    desk: &Desk,
    crash: &Crash,
    wanted: &[usize],
    tell: &mut dyn FnMut(&Event<'_>),
) -> Result<Verification> {
    climb_all(desk, crash, wanted, Stage::AsCaptured, tell)
}

pub(crate) fn climb_all(
    desk: &Desk,
    crash: &Crash,
    wanted: &[usize],
    stage: Stage,
    tell: &mut dyn FnMut(&Event<'_>),
) -> Result<Verification> {
    let mut ladder = Ladder {
        crash,
        limit: desk.limit(),
        warm: Trials::new(desk, crash),
        fresh: Trials::in_system_loader(desk, crash),
        second_tries: 0,
        long_tries: 0,
    };
    let carried = crash.snapshot.classes.iter();
    let feature = desk.jdk().version.feature;
    let names = carried.map(|class| class.name.clone());
    let mut preflight = Preflight::new(desk.class_path(), feature, names);
    let mut frames = Vec::new();
    for &number in wanted {
        let Some(frame) = crash.snapshot.manifest.frames.get(number) else {
            continue;
        };
        let verdict = match preflight.examine(number, frame) {
            _ if is_packaging(&crash.snapshot.manifest, frame) => outside_build(number),
            Err(reason) => not_runnable(number, reason),
            Ok(note) => {
                let mut verdict = ladder.climb(number)?;
                if verdict.verdict == Verdict::Reproduced && serves_one(&crash.snapshot, number) {
                    verdict.verdict = Verdict::NeedsServer;
                    verdict.reason = Some(NEEDS_SERVER.to_owned());
                }
                verdict.notes.extend(note);
                verdict
            }
        };
        tell(&Event {
            stage,
            done: frames.len() + 1,
            of: wanted.len(),
            verdict: &verdict,
        });
        frames.push(verdict);
    }
    Ok(Verification {
        frames,
        notes: desk.note().map(str::to_owned).into_iter().collect(),
        java_home: desk.jdk().home.display().to_string(),
        java_version: desk.jdk().version.text.clone(),
    })
}

const NEEDS_SERVER: &str = "it serves a connection, which is closed here, so it would fail after a repair, too; the application's own frames do not";

/// Whether the frame's class is of the package that the application was put into, and not of its build.
fn is_packaging(manifest: &Manifest, frame: &FrameInfo) -> bool {
    let source = frame.captured.as_ref().and_then(|it| it.source.as_deref());
    let application = manifest.application.as_ref();
    application.is_some_and(|own| own.start.whose(&frame.element.class, source) == Whose::Packaging)
}

fn outside_build(frame: usize) -> FrameVerdict {
    let reason = "the class exists only where the application is packaged";
    untried(frame, Verdict::OutsideBuild, reason.to_owned())
}

fn not_runnable(frame: usize, reason: String) -> FrameVerdict {
    untried(frame, Verdict::NotRunnable, reason)
}

fn untried(frame: usize, verdict: Verdict, reason: String) -> FrameVerdict {
    FrameVerdict {
        frame,
        verdict,
        variant: Variant::AsCaptured,
        reason: Some(reason),
        notes: Vec::new(),
    }
}

struct Ladder<'a> {
    crash: &'a Crash,
    limit: Duration,
    /// Many candidates, each in a class loader of its own.
    warm: Trials<'a>,
    /// One candidate per JVM, in its system class loader.
    fresh: Trials<'a>,
    second_tries: u32,
    long_tries: u32,
}

impl Ladder<'_> {
    fn manifest(&self) -> &Manifest {
        &self.crash.snapshot.manifest
    }

    /// Tries the variants in order and keeps the first that reproduces, else the best.
    fn climb(&mut self, frame: usize) -> Result<FrameVerdict> {
        let mut best: Option<FrameVerdict> = None;
        for variant in variants(self.manifest(), frame) {
            let tried = self.attempt(frame, variant, Loader::Own)?;
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
        let settled = best.as_ref().is_none_or(|best| {
            use Verdict::{PassesOn, Reproduced, TimedOut};
            matches!(best.verdict, Reproduced | PassesOn | TimedOut)
        });
        if !settled && self.second_tries < SECOND_TRIES {
            self.second_tries += 1;
            for &variant in self.second_variants(frame) {
                let tried = self.attempt(frame, variant, Loader::System)?;
                self.fresh.renew();
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
        let mut outside = self.manifest().frames.iter().skip(frame + 1);
        let outermost = outside.all(|frame| frame.captured.is_none());
        if outermost && !self.manifest().statics.is_empty() {
            &[Variant::AsCaptured, Variant::WithoutStatics]
        } else {
            &[Variant::AsCaptured]
        }
    }

    fn attempt(&mut self, frame: usize, variant: Variant, loader: Loader) -> Result<FrameVerdict> {
        let snapshot = self.crash.for_frame(frame);
        let plan = plan(snapshot, frame, variant.plan_options())?;
        let trials = match loader {
            Loader::System => &mut self.fresh,
            _ => &mut self.warm,
        };
        let Trial {
            verdict,
            mut reason,
            outcome,
            ..
        } = trials.run(frame, plan, loader, self.limit)?;
        let limits = &self.manifest().limits;
        if matches!(outcome, Outcome::Returned) && !limits.is_empty() {
            reason = reason
                .map(|reason| format!("{reason}; the snapshot is cut: {}", limits.join("; ")));
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
