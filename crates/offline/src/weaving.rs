//! Classes woven on all cores.

use crate::template::Templates;
use recrash_classfile::ClassFile;
use recrash_weave::{Offline, Passed, Policy, Prepended, Reason, Woven, prepend_call, weave};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Offline ids lie in the upper half, those that an agent gives to classes it weaves itself in the lower.
const FIRST_ID: u32 = 1 << 30;

/// How many classes are woven between two reports of progress.
const STEP: usize = 64;

/// One class to be woven, in place.
pub(crate) struct Job<'a> {
    pub(crate) name: &'a str,
    pub(crate) bytes: &'a mut Vec<u8>,
    /// Methods that start the recorder.
    pub(crate) starters: Vec<String>,
    /// Its first site id, see [`number`].
    first: u32,
}

impl<'a> Job<'a> {
    pub(crate) fn new(name: &'a str, bytes: &'a mut Vec<u8>, starters: Vec<String>) -> Self {
        Job {
            name,
            bytes,
            starters,
            first: 0,
        }
    }
}

/// What became of the classes.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) woven: usize,
    /// Classes or methods that had to stay as they are, with the reason.
    pub(crate) left: Vec<String>,
}

/// Gives every class ids of its own. `seed` tells programs apart that may meet in one JVM.
fn number(jobs: &mut [Job<'_>], seed: u64) {
    let counts: Vec<u32> = jobs
        .iter()
        // The body of each method, and for constructors what comes before super(...).
        .map(|job| ClassFile::read(job.bytes).map_or(0, |class| 2 * class.methods.len() as u32))
        .collect();
    let total = counts
        .iter()
        .fold(0_u32, |sum, count| sum.saturating_add(*count));
    let room = FIRST_ID.saturating_sub(total).max(1);
    let mut next = FIRST_ID + (seed % u64::from(room)) as u32;
    for (job, count) in jobs.iter_mut().zip(counts) {
        job.first = next;
        next = next.saturating_add(count);
    }
}

pub(crate) fn weave_all(
    mut jobs: Vec<Job<'_>>,
    policy: &Policy,
    seed: u64,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Outcome {
    number(&mut jobs, seed);
    let total = jobs.len();
    let done = AtomicUsize::new(0);
    let queue = Mutex::new(jobs.into_iter());
    let outcome = Mutex::new(Outcome::default());
    let work = || {
        let mut mine = Outcome::default();
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(mut job) = next else { break };
            weave_one(&mut job, policy, &mut mine);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if done.is_multiple_of(STEP) {
                progress(done, total);
            }
        }
        let mut all = outcome.lock().unwrap_or_else(PoisonError::into_inner);
        all.woven += mine.woven;
        all.left.append(&mut mine.left);
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 1..workers {
            scope.spawn(work);
        }
        work();
    });
    let mut outcome = outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
    outcome.left.sort();
    outcome
}

fn weave_one(job: &mut Job<'_>, policy: &Policy, outcome: &mut Outcome) {
    let policy = Policy {
        offline: Some(if job.starters.is_empty() {
            Offline::Asleep
        } else {
            Offline::Awake
        }),
        ..policy.clone()
    };
    match weave(job.bytes, job.first, &policy) {
        Woven::Changed { bytes, skipped, .. } => {
            outcome.woven += 1;
            outcome.left.extend(skipped.into_iter().map(|method| {
                format!(
                    "{}: {}{}: {}",
                    job.name, method.method, method.descriptor, method.why
                )
            }));
            *job.bytes = bytes;
        }
        Woven::Untouched(Reason::Excluded | Reason::NothingToMonitor) => {}
        Woven::Untouched(reason) => outcome.left.push(format!("{}: {reason}", job.name)),
    }
    for method in &job.starters {
        match starting(job.bytes, method) {
            Ok(bytes) => *job.bytes = bytes,
            Err(reason) => outcome.left.push(format!(
                "{}: {method} does not start the recorder: {reason}",
                job.name
            )),
        }
    }
}

/// Makes every method of that name start the recorder first.
fn starting(bytes: &[u8], name: &str) -> Result<Vec<u8>, recrash_classfile::Error> {
    let class = ClassFile::read(bytes)?;
    let owner = Templates::start(&crate::starters::package(class.name));
    let call = Prepended {
        owner: &owner,
        name: "start",
        descriptor: "()V",
        passed: Passed::Nothing,
        // A class loader may have this class and no other of its jar.
        guarded: true,
    };
    let mut changed = bytes.to_vec();
    for method in &class.methods {
        if method.name != name.as_bytes() || class.code(method)?.is_none() {
            continue;
        }
        let descriptor = String::from_utf8_lossy(method.descriptor);
        changed = prepend_call(&changed, name, &descriptor, call)?;
    }
    Ok(changed)
}
