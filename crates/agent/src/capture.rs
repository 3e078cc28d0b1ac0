//! One capture at a time, each failure once, and the end of the JVM waits a moment for a capture under way.

use crate::description::{Description, Recognised};
use crate::jvm::guarded;
use crate::options::Options;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Sender};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long the program's end may be delayed for a capture that is under way.
const PATIENCE_AT_END: Duration = Duration::from_secs(2);

/// Ways to capture points that are looked at, a bound for labels and stacks that are never the same.
const MOST_WAYS: usize = 1000;

/// The most snapshots that wait to be written; the thread of one more writes its own.
const MOST_WAITING: usize = 4;

/// The rest of a capture, once its data is safe.
pub type Work = Box<dyn FnOnce() + Send>;

pub struct Captures {
    state: Mutex<State>,
    changed: Condvar,
    /// How long a failing thread waits for another one's capture.
    patience: Duration,
    repeat: bool,
}

#[derive(Default)]
struct State {
    busy: bool,
    /// Failures that wait for their capture while the program goes on.
    expected: usize,
    /// The JVM is ending and has waited long enough: nothing may be written any more.
    over: bool,
    /// Of the failures captured so far, and whether all of their methods were watched when they happened.
    fingerprints: HashSet<(u64, bool)>,
    /// By which ways capture points were reached.
    ways: HashSet<i64>,
    /// By the numbers that the runtime gave their failures.
    files: HashMap<u32, PathBuf>,
    /// Described, and worth a snapshot.
    pending: Option<Pending>,
    /// Captured, and not yet written.
    waiting: usize,
    /// To the thread that writes; none until the first capture of a program that goes on.
    writer: Option<Sender<Work>>,
}

/// A failure between its description and its values.
pub struct Pending {
    pub description: Description,
    pub fingerprint: u64,
    /// False where second chance did not watch some of its methods yet: the next one is better.
    pub whole: bool,
    pub since: Instant,
}

impl Captures {
    pub fn new(options: &Options) -> Self {
        Self {
            state: Mutex::default(),
            changed: Condvar::new(),
            patience: Duration::from_millis(u64::from(options.max_millis)) + Duration::from_secs(5),
            repeat: options.repeat,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the turn, if patient; false when it does not come in time.
    pub fn begin(&self, patient: bool) -> bool {
        let patience = if patient {
            self.patience
        } else {
            Duration::ZERO
        };
        self.take_turn(self.state(), patience)
    }

    /// One more failure is to be captured later; false when it cannot be any more.
    pub fn expect(&self) -> bool {
        let mut state = self.state();
        if !state.over {
            state.expected += 1;
        }
        !state.over
    }

    /// Waits for the turn of a failure that was expected.
    pub fn begin_expected(&self) -> bool {
        let begun = self.take_turn(self.state(), self.patience);
        let mut state = self.state();
        state.expected = state.expected.saturating_sub(1);
        self.changed.notify_all();
        begun
    }

    fn take_turn(&self, state: MutexGuard<'_, State>, patience: Duration) -> bool {
        let (mut state, _) = self
            .changed
            .wait_timeout_while(state, patience, |state| state.busy)
            .unwrap_or_else(PoisonError::into_inner);
        if state.busy || state.over {
            return false;
        }
        state.busy = true;
        true
    }

    pub fn end(&self) {
        let mut state = self.state();
        state.busy = false;
        state.pending = None;
        self.changed.notify_all();
    }

    /// Whether a capture point is reached this way for the first time. Beyond a number of ways none is new.
    pub fn is_new_point(&self, way: i64) -> bool {
        let mut state = self.state();
        self.repeat || state.ways.len() < MOST_WAYS && state.ways.insert(way)
    }

    /// Remembers the failure as the one being captured, unless the same one was captured before and this is not more of it.
    pub fn accept(&self, pending: Pending) -> bool {
        let mut state = self.state();
        let new = state
            .fingerprints
            .insert((pending.fingerprint, pending.whole));
        let accepted = new || self.repeat || pending.description.recognised.replaces != 0;
        if accepted {
            state.pending = Some(pending);
        }
        accepted
    }

    /// Waits until what was captured before is written, because the next one may replace it; not for ever.
    pub fn await_written(&self) {
        let state = self.state();
        drop(
            self.changed
                .wait_timeout_while(state, self.patience, |state| state.waiting > 0),
        );
    }

    /// The file of a failure is there; what it replaces, if anything.
    pub fn written(&self, recognised: Recognised, file: &Path) -> Option<PathBuf> {
        let mut state = self.state();
        state.files.insert(recognised.number, file.to_owned());
        state.files.remove(&recognised.replaces)
    }

    pub fn take(&self) -> Option<Pending> {
        let mut state = self.state();
        if state.over {
            None
        } else {
            state.pending.take()
        }
    }

    /// Does the work on a thread of its own, one piece after the other, so that nobody waits for compression and disk; here
    /// and now where too much waits already or no thread can be had.
    pub fn beside(&'static self, work: Work) {
        let mut state = self.state();
        if state.writer.is_none() {
            state.writer = self.start_writer();
        }
        let ready = state.waiting < MOST_WAITING && !state.over;
        let writer = state.writer.clone().filter(|_| ready);
        state.waiting += 1;
        drop(state);
        let left = match writer {
            Some(writer) => writer.send(work).err().map(|unsent| unsent.0),
            None => Some(work),
        };
        if let Some(work) = left {
            work();
            self.written_one();
        }
    }

    fn start_writer(&'static self) -> Option<Sender<Work>> {
        let (sender, works) = mpsc::channel::<Work>();
        let writer = thread::Builder::new().name("recrash".to_owned());
        let started = writer.spawn(move || {
            for work in works {
                guarded(work);
                self.written_one();
            }
        });
        started.ok().map(|_| sender)
    }

    fn written_one(&self) {
        self.state().waiting -= 1;
        self.changed.notify_all();
    }

    /// The JVM is ending. How many failures are still not captured after a moment.
    pub fn await_end(&self) -> usize {
        let (mut state, _) = self
            .changed
            .wait_timeout_while(self.state(), PATIENCE_AT_END, |state| {
                state.busy || state.expected > 0 || state.waiting > 0
            })
            .unwrap_or_else(PoisonError::into_inner);
        state.over = true;
        usize::from(state.busy) + state.expected + state.waiting
    }

    /// Whether there is a snapshot of this run.
    pub fn has_some(&self) -> bool {
        !self.state().files.is_empty()
    }

    pub fn is_over(&self) -> bool {
        self.state().over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrash_heap::manifest::ThreadInfo;

    fn pending(fingerprint: u64) -> Pending {
        pending_if(fingerprint, true)
    }

    fn pending_if(fingerprint: u64, whole: bool) -> Pending {
        Pending {
            description: Description {
                thread: ThreadInfo {
                    name: String::new(),
                    id: 1,
                    daemon: false,
                    is_virtual: false,
                },
                throwables: Vec::new(),
                recognised: Recognised::default(),
            },
            fingerprint,
            whole,
            since: Instant::now(),
        }
    }

    #[test]
    fn the_same_failure_is_captured_once() {
        let captures = Captures::new(&Options::default());
        assert!(captures.begin(true));
        assert!(captures.accept(pending(1)));
        captures.end();
        assert!(captures.begin(true));
        assert!(!captures.accept(pending(1)));
        assert!(captures.accept(pending(2)));
    }

    #[test]
    fn a_failure_captured_in_part_is_captured_again_when_it_is_whole() {
        let captures = Captures::new(&Options::default());
        assert!(captures.accept(pending_if(1, false)));
        assert!(captures.accept(pending_if(1, true)));
        assert!(!captures.accept(pending_if(1, true)));
    }

    #[test]
    fn on_request_the_same_failure_is_captured_again() {
        let captures = Captures::new(&Options {
            repeat: true,
            ..Options::default()
        });
        assert!(captures.accept(pending(1)));
        assert!(captures.accept(pending(1)));
    }

    #[test]
    fn a_capture_point_is_new_once_per_way_and_not_for_ever() {
        let captures = Captures::new(&Options::default());
        assert!(captures.is_new_point(1));
        assert!(!captures.is_new_point(1));
        let new = (2..5000).filter(|&way| captures.is_new_point(way)).count();
        assert_eq!(new, MOST_WAYS - 1);
    }

    #[test]
    fn the_end_waits_for_what_is_expected_and_counts_what_did_not_come() {
        let captures = Captures::new(&Options::default());
        assert!(captures.expect() && captures.expect());
        assert!(captures.begin_expected());
        captures.end();
        assert_eq!(captures.await_end(), 1);
        assert!(!captures.expect());
    }

    #[test]
    fn after_the_end_nothing_is_written() {
        let captures = Captures::new(&Options::default());
        assert!(captures.begin(true));
        assert!(captures.accept(pending(1)));
        captures.end();
        assert_eq!(captures.await_end(), 0);
        assert!(captures.take().is_none());
        assert!(!captures.begin(true));
    }
}
