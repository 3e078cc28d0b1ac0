//! Trials: what becomes of a crash when its state changes. Many per second, because nothing is written to a file, and
//! because the program's classes stay loaded where that is asked for.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use recrash_heap::Manifest;
use recrash_jvm::{ClassPath, Loader, Outcome, Request, Thrown, Worker};

use crate::environment::{choose_jdk, recorded_class_path};
use crate::error::Result;
use crate::judge::{Expected, judge};
use crate::ladder::{VerifyOptions, worker};
use crate::verdict::Verdict;

/// Runs changed states of one snapshot's frames and judges them by what the snapshot says.
#[derive(Debug)]
pub struct Trials<'a> {
    file: PathBuf,
    manifest: &'a Manifest,
    class_path: ClassPath,
    same_jdk: bool,
    worker: Worker,
    runs: u64,
}

/// One run of a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    pub verdict: Verdict,
    /// A sentence where the verdict is not `Reproduced`.
    pub reason: Option<String>,
    pub took: Duration,
    /// The root cause of what was thrown.
    pub root: Option<Thrown>,
    /// What was thrown cannot be printed, so that no test could show it.
    pub unprintable: bool,
}

impl<'a> Trials<'a> {
    /// `file` is the snapshot itself; of it only the methods and the environment are read.
    pub fn new(file: &Path, manifest: &'a Manifest, options: &VerifyOptions) -> Result<Self> {
        let jdk = choose_jdk(manifest, options.jdk.as_ref())?.jdk;
        let class_path = options.class_path.clone();
        Ok(Self {
            file: file.to_owned(),
            manifest,
            class_path: class_path.unwrap_or_else(|| recorded_class_path(manifest)),
            same_jdk: jdk.version.text == manifest.environment.java_version,
            worker: worker(manifest, options, &jdk, &ClassPath::default()),
            runs: 0,
        })
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
        self.runs += 1;
        let request = Request {
            snapshot: self.file.clone(),
            frame: frame as u32,
            flags: 0,
            class_path: self.class_path.entries().to_vec(),
            limit,
            stack_size: 0,
            loader,
            plan: Some(plan),
        };
        let start = Instant::now();
        let answer = self.worker.ask(&request)?;
        let took = start.elapsed();
        let expected = Expected {
            manifest: self.manifest,
            frame,
            same_jdk: self.same_jdk,
        };
        let (verdict, reason) = judge(&expected, &answer.outcome);
        let mut thrown = match answer.outcome {
            Outcome::Threw(chain) => chain,
            _ => Vec::new(),
        };
        let unprintable = thrown.iter().any(|thrown| thrown.unprintable);
        let root = thrown.pop();
        Ok(Trial {
            verdict,
            reason,
            took,
            root,
            unprintable,
        })
    }
}
