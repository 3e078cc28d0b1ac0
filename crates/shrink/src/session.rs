//! One shrinking: the best state so far, and passes that try to better it.

use recrash_heap::{ObjectSet, Snapshot, needed};
use recrash_reduce::{Budget, Order, Outcome, Subset};
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::oracle::Oracle;
use crate::progress::Progress;
use crate::scene::Scene;
use crate::step::{Step, edits};
use crate::store::Store;

/// Confirming may take one part in so many of the time.
const CONFIRMING: u32 = 6;
/// Progress is told and saved so often.
const TELL: Duration = Duration::from_millis(100);
const SAVE: Duration = Duration::from_secs(10);

/// Why a pass ended early.
#[derive(Debug)]
pub(crate) enum Halt {
    /// The time is up, or the user wants no more.
    Stop,
    /// What the pass was built on did not hold in class loaders of its own.
    Lost,
    Error(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Halt::Error(error)
    }
}

impl From<recrash_heap::Error> for Halt {
    fn from(error: recrash_heap::Error) -> Self {
        Halt::Error(error.into())
    }
}

pub(crate) struct Session<'a> {
    pub(crate) oracle: Oracle<'a>,
    pub(crate) store: Store,
    /// Held by the last trials.
    best: Snapshot,
    /// The last that held in class loaders of its own.
    confirmed: Snapshot,
    /// When the next confirmation is due.
    due: Instant,
    /// Whether every trial gets a class loader of its own.
    pub(crate) cold: bool,
    pub(crate) stop: &'a dyn Fn() -> bool,
    pub(crate) tell: &'a mut dyn FnMut(&Progress),
    pub(crate) clock: Clock,
}

/// What is counted, over all sittings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    pub(crate) started: Instant,
    pub(crate) before: Duration,
    pub(crate) trials_before: u64,
    pub(crate) told: Instant,
    pub(crate) saved: Instant,
}

impl<'a> Session<'a> {
    pub(crate) fn new(
        oracle: Oracle<'a>,
        store: Store,
        start: Snapshot,
        clock: Clock,
        stop: &'a dyn Fn() -> bool,
        tell: &'a mut dyn FnMut(&Progress),
    ) -> Self {
        Session {
            oracle,
            store,
            best: start.clone(),
            confirmed: start,
            due: clock.started,
            cold: false,
            stop,
            tell,
            clock,
        }
    }

    pub(crate) fn confirmed(&self) -> &Snapshot {
        &self.confirmed
    }

    pub(crate) fn progress(&self) -> Progress {
        Progress {
            objects_before: self.store.objects_before(),
            objects: self.best.heap.len(),
            trials: self.clock.trials_before + self.oracle.trials(),
            elapsed: self.clock.before + self.clock.started.elapsed(),
        }
    }

    /// Something about the best state.
    pub(crate) fn count(&self, of: impl Fn(&Scene) -> usize) -> usize {
        of(&Scene::new(self.best.clone()))
    }

    /// Finds items in the best state and takes as many as can be taken. `steps` says what taking some items means; at
    /// first groups of `largest` items are tried. Whether anything was gained.
    pub(crate) fn pass<T: Clone>(
        &mut self,
        largest: usize,
        find: impl Fn(&Scene) -> Vec<T>,
        steps: impl Fn(&[T]) -> Vec<Step>,
    ) -> std::result::Result<bool, Halt> {
        let scene = Scene::new(self.best.clone());
        let base = &scene.snapshot;
        let items = find(&scene);
        if items.is_empty() {
            return Ok(false);
        }
        let mut needs: Vec<(usize, ObjectSet)> = Vec::new();
        for witness in self.oracle.witnesses() {
            let set = needed(base, witness.frame, witness.restore)?;
            needs.push((witness.frame, set));
        }
        let subset = Subset::new(items.len(), Order::Counters { largest });
        let ended = subset.run(&mut Budget::unlimited(), |candidate| {
            self.breathe()?;
            let those = |numbers: &[usize]| -> Vec<T> {
                let items = numbers.iter().map(|number| items.get(*number));
                items.flatten().cloned().collect()
            };
            let group = those(&candidate.going);
            let mut all = those(candidate.taken);
            all.extend_from_slice(&group);
            let Ok(edited) = edits(&steps(&all), &scene.collections).apply(base) else {
                // Steps that do not go together.
                return Ok(Outcome::Unresolved);
            };
            let candidate = edited.snapshot;
            let new = steps(&group);
            let touched = |frame: usize| {
                let needs = needs.iter().find(|(of, _)| *of == frame);
                needs.is_none_or(|(_, needs)| new.iter().any(|step| step.touches(frame, needs)))
            };
            if candidate != self.best {
                if !self
                    .oracle
                    .holds(&candidate, &self.best, touched, self.cold)?
                {
                    return Ok(Outcome::Fails);
                }
                self.best = candidate;
            }
            Ok(Outcome::Holds)
        });
        match ended {
            Ok(_) => Ok(self.best != *base),
            // Later passes find it again.
            Err(Halt::Lost) => Ok(true),
            Err(other) => Err(other),
        }
    }

    /// Between two trials: look at the clock, tell, save, and confirm what has come together.
    fn breathe(&mut self) -> std::result::Result<(), Halt> {
        if (self.stop)() {
            return Err(Halt::Stop);
        }
        if self.clock.told.elapsed() >= TELL {
            self.clock.told = Instant::now();
            let progress = self.progress();
            (self.tell)(&progress);
        }
        if Instant::now() >= self.due && !self.confirm()? {
            return Err(Halt::Lost);
        }
        if self.clock.saved.elapsed() >= SAVE {
            self.clock.saved = Instant::now();
            self.store.save(&self.confirmed, &self.progress())?;
        }
        Ok(())
    }

    /// Confirms the best state, or goes back to the last one that was.
    pub(crate) fn confirm(&mut self) -> Result<bool> {
        if self.best == self.confirmed {
            return Ok(true);
        }
        let start = Instant::now();
        let held = self.oracle.confirms(&self.best, self.cold)?;
        if held {
            self.confirmed = self.best.clone();
        } else {
            self.best = self.confirmed.clone();
        }
        self.due = Instant::now() + start.elapsed() * CONFIRMING;
        Ok(held)
    }
}
