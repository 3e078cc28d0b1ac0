//! What a trial says, and how often which was said.

/// The answer of one trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// What has to stay has stayed.
    Holds,
    /// It has not.
    Fails,
    /// The trial cannot say: it took too long, or the candidate could not be made. Never counts as held.
    Unresolved,
}

impl Outcome {
    /// The answer of a trial that knows only yes and no.
    pub fn of(holds: bool) -> Self {
        if holds {
            Outcome::Holds
        } else {
            Outcome::Fails
        }
    }

    pub fn holds(self) -> bool {
        self == Outcome::Holds
    }
}

/// The runs of a trial whose answer flickers: it holds when `holding` of at most `runs` do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repeats {
    pub holding: u32,
    pub runs: u32,
}

impl Repeats {
    pub const ONCE: Repeats = Repeats {
        holding: 1,
        runs: 1,
    };

    /// The answer after some runs, once no further run could change it.
    pub(crate) fn decide(self, held: u32, unresolved: u32, runs: u32) -> Option<Outcome> {
        if held >= self.holding.max(1) {
            Some(Outcome::Holds)
        } else if held + self.runs.saturating_sub(runs) >= self.holding.max(1) {
            None
        } else if held + unresolved == runs && unresolved > 0 {
            Some(Outcome::Unresolved)
        } else {
            Some(Outcome::Fails)
        }
    }
}

impl Default for Repeats {
    fn default() -> Self {
        Repeats::ONCE
    }
}

/// The number of trials, by what became of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Runs that counted: as many as are needed when one trial is made at a time.
    pub trials: u64,
    /// Candidates that held.
    pub held: u64,
    /// Runs that could not say.
    pub unresolved: u64,
    /// Candidates whose answer was known.
    pub known: u64,
    /// All runs: those made beside others and then not wanted are in here only.
    pub runs: u64,
}

impl Count {
    /// The part that came after `before`.
    #[must_use]
    pub fn since(self, before: Count) -> Count {
        Count {
            trials: self.trials - before.trials,
            held: self.held - before.held,
            unresolved: self.unresolved - before.unresolved,
            known: self.known - before.known,
            runs: self.runs - before.runs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_flickers_is_run_until_no_run_could_change_the_answer() {
        let two_of_three = Repeats {
            holding: 2,
            runs: 3,
        };
        assert_eq!(two_of_three.decide(1, 0, 1), None);
        assert_eq!(two_of_three.decide(2, 0, 2), Some(Outcome::Holds));
        assert_eq!(two_of_three.decide(1, 0, 2), None);
        assert_eq!(two_of_three.decide(0, 0, 2), Some(Outcome::Fails));
        assert_eq!(two_of_three.decide(0, 2, 2), Some(Outcome::Unresolved));
        assert_eq!(two_of_three.decide(0, 1, 2), Some(Outcome::Fails));
        assert_eq!(Repeats::ONCE.decide(0, 1, 1), Some(Outcome::Unresolved));
    }

    #[test]
    fn repeats_that_ask_for_more_than_there_are_runs_never_hold() {
        let three_of_two = Repeats {
            holding: 3,
            runs: 2,
        };
        assert_eq!(three_of_two.decide(1, 0, 1), Some(Outcome::Fails));
    }
}
