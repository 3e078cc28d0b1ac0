//! Trials: a frame is restored by a plan and called, and what comes of it is judged. Many per second: nothing is written
//! to a file, and the program's classes stay loaded where that is asked for.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use recrash_heap::manifest::{Environment, StaticField, ThrowableInfo};
use recrash_heap::{Crash, Manifest, ObjectId, Value};
use recrash_judge::{Verdict, Words};
use recrash_jvm::{Loader, Outcome, Property, Request, Subject, Surroundings, Worker};

use crate::desk::Desk;
use crate::error::{Error, Result};

/// A warm JVM for the frames of one crash, and the judge beside it.
#[derive(Debug)]
pub struct Trials<'a> {
    desk: &'a Desk,
    crash: &'a Crash,
    worker: Worker,
    subjects: BTreeMap<usize, Arc<Subject>>,
    runs: u64,
}

/// One run of a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    pub verdict: Verdict,
    /// A sentence where the verdict is not `Reproduced`.
    pub reason: Option<String>,
    pub outcome: Outcome,
    pub took: Duration,
}

impl Trial {
    /// What was thrown cannot be printed, so that no test could show it.
    pub fn is_unprintable(&self) -> bool {
        match &self.outcome {
            Outcome::Threw(chain) => chain.iter().any(|thrown| thrown.unprintable),
            _ => false,
        }
    }

    /// It reproduced the crash, and said these words.
    pub fn holds(&self, words: &Words) -> bool {
        self.verdict == Verdict::Reproduced && words.are_those_of(&self.outcome)
    }
}

impl<'a> Trials<'a> {
    /// In a JVM whose own class loader has nothing of the program.
    pub fn new(desk: &'a Desk, crash: &'a Crash) -> Self {
        Self::in_worker(desk, crash, desk.worker(false))
    }

    /// In the system class loader of a JVM ([`Loader::System`]): what a program sees that asks for that loader by name.
    pub(crate) fn in_system_loader(desk: &'a Desk, crash: &'a Crash) -> Self {
        Self::in_worker(desk, crash, desk.worker(true))
    }

    fn in_worker(desk: &'a Desk, crash: &'a Crash, worker: Worker) -> Self {
        Self {
            desk,
            crash,
            worker,
            subjects: BTreeMap::new(),
            runs: 0,
        }
    }

    /// How many runs there were.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// Restores `frame` by a plan of `recrash_heap::plan` and calls its method. Whatever that does, death of the JVM
    /// included, is a verdict.
    pub fn run(
        &mut self,
        frame: usize,
        plan: Vec<u8>,
        loader: Loader,
        limit: Duration,
    ) -> Result<Trial> {
        let stop = self.desk.stop();
        if stop.is_due() {
            return Err(Error::Stopped);
        }
        self.runs += 1;
        let crash = self.crash;
        let subject = self.subjects.entry(frame);
        let subject = subject.or_insert_with(|| Arc::new(subject_of(crash, frame)));
        let request = Request {
            subject: Arc::clone(subject),
            class_path: self.desk.class_path().entries().to_vec(),
            limit: stop.left().map_or(limit, |left| left.min(limit)),
            stack_size: 0,
            loader,
            plan,
        };
        let start = Instant::now();
        let answer = self.worker.ask(&request)?;
        let took = start.elapsed();
        let same = self.desk.same_crash(&crash.snapshot.manifest, frame);
        let (mut verdict, mut reason) = same.judge(&answer.outcome);
        if verdict == Verdict::Reproduced
            && passes_on(&crash.for_frame(frame).manifest, &answer.outcome)
        {
            verdict = Verdict::PassesOn;
            reason = Some(PASSES_ON.to_owned());
        }
        Ok(Trial {
            verdict,
            reason,
            outcome: answer.outcome,
            took,
        })
    }

    /// Ends the JVM; the next trial starts another one.
    pub(crate) fn renew(&mut self) {
        self.worker.stop();
    }
}

const PASSES_ON: &str = "the exception is part of what it was given, so no repair lets it pass; the frames of the exception's own way do";

/// Whether the exception that all others come from was there before the frame was called. The one instance that a constant
/// holds is thrown by whoever finds fault, and was not handed to anybody.
fn passes_on(manifest: &Manifest, outcome: &Outcome) -> bool {
    let Outcome::Threw(chain) = outcome else {
        return false;
    };
    let root = chain.last().map_or(0, |root| root.restored);
    let is_constant =
        |field: &StaticField| field.is_final && field.value == Value::Ref(ObjectId(root));
    root != 0 && !manifest.statics.iter().any(is_constant)
}

/// What a worker has to know of a frame beside the plan.
pub(crate) fn subject_of(crash: &Crash, frame: usize) -> Subject {
    let manifest = &crash.for_frame(frame).manifest;
    let info = manifest.frames.get(frame);
    let captured = info.and_then(|info| info.captured.as_ref());
    Subject {
        name: format!("frame {frame} of {}", crash.file_name()),
        owner: info.map_or_else(String::new, |info| info.element.class.clone()),
        method: info.map_or_else(String::new, |info| info.element.method.clone()),
        descriptor: captured.map_or_else(String::new, |captured| captured.descriptor.clone()),
        access: captured.map_or(0, |captured| u32::from(captured.access)),
        capture_point: capture_point(manifest),
        thread: manifest.thread.name.clone(),
        surroundings: surroundings(&manifest.environment),
    }
}

fn capture_point(manifest: &Manifest) -> Option<String> {
    let label = manifest.throwables.first().and_then(ThrowableInfo::label);
    label.map(str::to_owned)
}

fn surroundings(environment: &Environment) -> Surroundings {
    Surroundings {
        locale: environment.locale.clone(),
        time_zone: environment.time_zone.clone(),
        charset: environment.charset.clone(),
        system_properties: environment
            .system_properties
            .iter()
            .map(|(name, value)| Property {
                name: name.clone(),
                value: value.clone(),
            })
            .collect(),
        jvm_arguments: environment.jvm_arguments.clone(),
    }
}
