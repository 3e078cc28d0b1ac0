//! How much may be tried.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::outcome::{Count, Outcome};

/// The limits of one or several reductions, and what they have used up. When a limit is reached, the best so far is the result.
#[derive(Debug, Clone, Default)]
pub struct Budget {
    until: Option<Instant>,
    trials: Option<u64>,
    unresolved: Option<u64>,
    stop: Option<Arc<AtomicBool>>,
    spent: Count,
}

/// Why a reduction ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Time,
    Trials,
    Unresolved,
    Stopped,
}

impl Budget {
    pub fn unlimited() -> Self {
        Budget::default()
    }

    /// No trial begins at or after this instant, nor after an earlier one that was given before.
    #[must_use]
    pub fn until(mut self, until: Instant) -> Self {
        self.until = Some(self.until.map_or(until, |known| known.min(until)));
        self
    }

    /// At most so many runs.
    #[must_use]
    pub fn trials(mut self, trials: u64) -> Self {
        self.trials = Some(trials);
        self
    }

    /// No run after so many that could not say: each of them has mostly cost its whole time limit.
    #[must_use]
    pub fn unresolved(mut self, unresolved: u64) -> Self {
        self.unresolved = Some(unresolved);
        self
    }

    /// No trial begins once the flag is set.
    #[must_use]
    pub fn stop(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = Some(stop);
        self
    }

    /// The limit that was reached, if one was.
    pub fn over(&self) -> Option<Ended> {
        self.over_with(0)
    }

    /// What was used up so far.
    pub fn spent(&self) -> Count {
        self.spent
    }

    /// Counts a trial that somebody made on their own.
    pub fn charge(&mut self, outcome: Outcome) {
        self.spent.runs += 1;
        self.take(1, u64::from(outcome == Outcome::Unresolved));
        self.spent.held += u64::from(outcome.holds());
    }

    /// The limit that is reached when `more` runs have to be counted, too.
    pub(crate) fn over_with(&self, more: u64) -> Option<Ended> {
        let stopped = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        if self.stop.as_ref().is_some_and(stopped) {
            Some(Ended::Stopped)
        } else if self.left().is_some_and(|left| left <= more) {
            Some(Ended::Trials)
        } else if self.is_unresolved() {
            Some(Ended::Unresolved)
        } else if self.until.is_some_and(|until| Instant::now() >= until) {
            Some(Ended::Time)
        } else {
            None
        }
    }

    /// The limit that does not allow to count so many runs that were made already.
    pub(crate) fn refuses(&self, runs: u64) -> Option<Ended> {
        if self.left().is_some_and(|left| left < runs) {
            Some(Ended::Trials)
        } else {
            self.is_unresolved().then_some(Ended::Unresolved)
        }
    }

    fn is_unresolved(&self) -> bool {
        let spent = self.spent.unresolved;
        self.unresolved.is_some_and(|most| spent >= most)
    }

    /// Runs that are left, where they are limited.
    pub(crate) fn left(&self) -> Option<u64> {
        self.trials
            .map(|trials| trials.saturating_sub(self.spent.trials))
    }

    /// Counts runs of which so many could not say.
    pub(crate) fn take(&mut self, runs: u64, unresolved: u64) {
        self.spent.trials += runs;
        self.spent.unresolved += unresolved;
    }

    pub(crate) fn ran(&mut self, runs: u64) {
        self.spent.runs += runs;
    }

    pub(crate) fn knew(&mut self) {
        self.spent.known += 1;
    }

    pub(crate) fn held(&mut self) {
        self.spent.held += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn each_limit_ends_it() {
        let now = Instant::now();
        assert_eq!(Budget::unlimited().over(), None);
        assert_eq!(Budget::unlimited().until(now).over(), Some(Ended::Time));
        assert_eq!(Budget::unlimited().trials(0).over(), Some(Ended::Trials));
        let flag = Arc::new(AtomicBool::new(false));
        let stopped = Budget::unlimited().stop(Arc::clone(&flag));
        assert_eq!(stopped.over(), None);
        flag.store(true, Ordering::Relaxed);
        assert_eq!(stopped.over(), Some(Ended::Stopped));
    }

    #[test]
    fn the_earlier_of_two_deadlines_counts() {
        let now = Instant::now();
        let later = now + Duration::from_secs(3600);
        let budget = Budget::unlimited().until(now).until(later);
        assert_eq!(budget.over(), Some(Ended::Time));
    }

    #[test]
    fn trials_made_elsewhere_are_counted() {
        let mut budget = Budget::unlimited().trials(3).unresolved(1);
        budget.charge(Outcome::Holds);
        assert_eq!(budget.over(), None);
        budget.charge(Outcome::Unresolved);
        assert_eq!(budget.over(), Some(Ended::Unresolved));
        budget.charge(Outcome::Fails);
        assert_eq!(budget.over(), Some(Ended::Trials));
        assert_eq!((budget.spent().trials, budget.spent().held), (3, 1));
    }
}
