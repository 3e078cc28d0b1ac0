//! From one snapshot file to a smaller one: which frames count, what they make of each state, what is written.

use recrash_desk::{Desk, Settings, Stop, Trials, verify_frames};
use recrash_heap::{Crash, PlanOptions, Snapshot, needed};
use recrash_judge::Verdict;
use recrash_jvm::{ClassPath, Jdk, Tools};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::focus::{Others, focus};
use crate::oracle::{First, Oracle};
use crate::phases::phases;
use crate::progress::Progress;
use crate::session::{Clock, Session};
use crate::store::{Store, path_for};

/// The ordinary judge may be asked again where the crash flickers.
const LAST_TRIES: u32 = 3;

/// What to shrink, and how.
#[derive(Debug, Clone)]
pub struct Options {
    pub file: PathBuf,
    pub out: PathBuf,
    pub frames: Frames,
    /// No trial begins later than this; `None` for as long as it takes.
    pub limit: Option<Duration>,
    /// Go on from what an earlier sitting left beside `out`.
    pub resume: bool,
    pub tools: Tools,
    /// `None` for the recorded one.
    pub class_path: Option<ClassPath>,
    /// `None` for the recorded one, or the nearest.
    pub jdk: Option<Jdk>,
    /// Of one run of a frame.
    pub trial_limit: Duration,
}

/// The frames whose crash is to stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frames {
    /// All that reproduce it.
    Reproducing,
    One(usize),
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shrinking {
    pub progress: Progress,
    /// Those that reproduce the crash as before.
    pub frames: Vec<usize>,
    /// Those whose state was left out.
    pub left: Vec<Left>,
    pub notes: Vec<String>,
    /// Nothing more can go: every single simplification was tried at the end.
    pub minimal: bool,
    /// Where `--resume` goes on, when it was ended early.
    pub unfinished: Option<PathBuf>,
}

/// A frame whose state was left out, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    pub frame: usize,
    pub reason: String,
}

/// Makes `out` of `file`. `stop` is asked between trials; once it says yes, the best state so far is what is made.
pub fn shrink(
    options: &Options,
    stop: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(&Progress),
) -> Result<Shrinking> {
    let mut crash = Crash::read(&options.file)?;
    // Second looks have objects of their own, and are not taken along.
    crash.looks.clear();
    let original = &crash.snapshot;
    let file = options
        .file
        .canonicalize()
        .map_err(Error::io(&options.file))?;
    if options.out.canonicalize().is_ok_and(|out| out == file) {
        return Err(Error::SameFile(options.out.clone()));
    }
    check_place(options)?;
    let scratch = tempfile::Builder::new()
        .prefix("recrash-shrink-")
        .tempdir()
        .map_err(Error::Scratch)?;
    let settings = Settings {
        tools: options.tools.clone(),
        class_path: options.class_path.clone(),
        jdk: options.jdk.clone(),
        limit: options.trial_limit,
        unpacked: scratch.path().to_owned(),
        stop: Stop::default(),
    };
    let desk = Desk::new(&crash, settings)?;
    let started = Instant::now();
    let mut work = Work {
        crash: &crash,
        desk: &desk,
        left: Vec::new(),
        notes: desk.note().map(str::to_owned).into_iter().collect(),
    };
    let mut oracle = Oracle::new(Trials::new(&desk, &crash));
    let frames = work.call(&mut oracle, options)?;
    let others = match options.frames {
        Frames::Reproducing => Others::Emptied,
        Frames::One(_) => Others::Forgotten,
    };
    let before = original.manifest.shrunk.as_ref();
    let objects_before = before.map_or(original.heap.len(), |shrunk| shrunk.objects_before);
    let store = Store::new(&options.out, objects_before, frames.clone());
    let focused = focus(original, &frames, others)?;
    let (start, trials_before, time_before) = if options.resume {
        store.load(original)?
    } else {
        (focused.clone(), 0, Duration::ZERO)
    };
    let clock = Clock {
        started,
        before: time_before,
        trials_before,
        told: started,
        saved: started,
    };
    let over = || {
        stop()
            || options
                .limit
                .is_some_and(|limit| started.elapsed() >= limit)
    };
    let mut session = Session::new(oracle, store, start, clock, &over, tell);
    let (states, minimal) = phases(&mut session, focused)?;
    let last = work.last_that_holds(&states, &frames)?;
    let minimal = minimal && last + 1 == states.len();
    let state = states.get(last).unwrap_or(original);
    let mut progress = session.progress();
    progress.objects = state.heap.len();
    session
        .store
        .noted(state, &progress, minimal)
        .write(&options.out)?;
    let unfinished = if minimal {
        session.store.remove()?;
        None
    } else {
        session.store.save(state, &progress)?;
        Some(session.store.path().to_owned())
    };
    Ok(Shrinking {
        progress,
        frames,
        left: work.left,
        notes: work.notes,
        minimal,
        unfinished,
    })
}

/// What would be in the way at the end is said at the beginning.
fn check_place(options: &Options) -> Result<()> {
    let folder = options.out.parent();
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    tempfile::tempfile_in(folder.unwrap_or(Path::new("."))).map_err(|source| Error::Out {
        path: options.out.clone(),
        source,
    })?;
    let progress = path_for(&options.out);
    if options.resume && !progress.exists() {
        return Err(Error::NothingToResume(progress));
    }
    Ok(())
}

/// What stays the same from the first look at the snapshot to the last.
struct Work<'a> {
    crash: &'a Crash,
    desk: &'a Desk,
    left: Vec<Left>,
    notes: Vec<String>,
}

impl Work<'_> {
    /// The frames that are asked for.
    fn asked(&self, options: &Options) -> Result<Vec<usize>> {
        let frames = self.crash.snapshot.manifest.frames.iter().enumerate();
        let captured: Vec<usize> = frames
            .filter(|(_, info)| info.captured.is_some())
            .map(|(number, _)| number)
            .collect();
        if captured.is_empty() {
            return Err(Error::NothingCaptured(options.file.clone()));
        }
        Ok(match options.frames {
            Frames::Reproducing => captured,
            Frames::One(frame) => {
                // Says so when there is no such frame, or it was not captured.
                needed(&self.crash.snapshot, frame, PlanOptions::default())?;
                vec![frame]
            }
        })
    }

    /// Makes witnesses of the frames that reproduce; those that only do so now and then are told.
    fn call(&mut self, oracle: &mut Oracle<'_>, options: &Options) -> Result<Vec<usize>> {
        let mut frames = Vec::new();
        let started = Instant::now();
        for frame in self.asked(options)? {
            // On a large snapshot a run takes seconds, and what reproduces neither as captured nor without statics
            // seldom does otherwise.
            let hurry = options
                .limit
                .is_some_and(|limit| started.elapsed() > limit / 4);
            let most = if hurry { 2 } else { usize::MAX };
            match oracle.call(&self.crash.snapshot, frame, most, self.desk.limit())? {
                First::Steady => frames.push(frame),
                First::Flickers { held, tries } => {
                    frames.push(frame);
                    self.notes.push(format!(
                        "frame {frame} does not reproduce every time (at first {held} of {tries} times); each step had to hold three times"
                    ));
                }
                First::Never(reason) => self.left.push(Left { frame, reason }),
            }
        }
        if !frames.is_empty() {
            oracle.sort();
            return Ok(frames);
        }
        let file = options.file.clone();
        let first = self.left.first();
        let frame = first.map_or(0, |left| left.frame);
        let reason = first.map_or_else(String::new, |left| left.reason.clone());
        Err(match options.frames {
            Frames::One(_) => Error::FrameDoesNotReproduce {
                file,
                frame,
                reason,
            },
            Frames::Reproducing => Error::NothingReproduces {
                file,
                frame,
                reason,
            },
        })
    }

    /// The last of the states for which the ordinary judge says what it said of the original.
    fn last_that_holds(&self, states: &[Snapshot], frames: &[usize]) -> Result<usize> {
        for (number, state) in states.iter().enumerate().rev() {
            let crash = self.crash.with(state.clone());
            for _ in 0..LAST_TRIES {
                let verification = verify_frames(self.desk, &crash, frames, &mut |_| {})?;
                let holds = |frame: &usize| {
                    let verdict = verification.frames.iter().find(|v| v.frame == *frame);
                    verdict.is_some_and(|verdict| verdict.verdict == Verdict::Reproduced)
                };
                if frames.iter().all(holds) {
                    return Ok(number);
                }
            }
        }
        let frame = frames.first().copied().unwrap_or(0);
        Err(Error::FrameDoesNotReproduce {
            file: self.crash.path.clone(),
            frame,
            reason: "it reproduced at first and does not any more".to_owned(),
        })
    }
}
