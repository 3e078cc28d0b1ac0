//! What a search comes to.

use std::time::Duration;

use recrash_classfile::is_of_jdk;
use recrash_trace::TraceLine;

use crate::conditions::Conditions;
use crate::fit::Goal;
use crate::runner::{End, Ran};
use crate::score::Score;
use crate::sequence::Sequence;

/// A program that reproduces `level` frames.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub(crate) level: usize,
    pub(crate) sequence: Sequence,
    /// Package of the test, with slashes.
    pub(crate) package: String,
}

/// What was found for a trace.
#[derive(Default)]
pub(crate) struct Found {
    /// The lowest level first.
    pub(crate) findings: Vec<Finding>,
    /// Something was found, but did not hold.
    pub(crate) unconfirmed: bool,
    pub(crate) tried: u64,
    pub(crate) took: Duration,
    /// What happened at each level that was tried.
    pub(crate) levels: Vec<Tried>,
    /// What the solver says.
    pub(crate) conditions: Conditions,
}

/// One level's search, as far as it came.
#[derive(Debug, Clone)]
pub(crate) struct Tried {
    pub(crate) level: usize,
    /// The smallest distance ([`Score`]).
    pub(crate) nearest: f64,
    /// What the programs that came nearest were not allowed to do.
    pub(crate) refused: Option<String>,
    /// The same exception, thrown by another line of the program.
    pub(crate) elsewhere: Option<TraceLine>,
    /// A class that could not be initialized, and why.
    pub(crate) broken: Option<String>,
}

impl Tried {
    pub(crate) fn new(level: usize) -> Tried {
        Tried {
            level,
            nearest: f64::INFINITY,
            refused: None,
            elsewhere: None,
            broken: None,
        }
    }

    /// Notes what a program did.
    pub(crate) fn note(&mut self, goal: &Goal, score: Score, ran: &Ran) {
        if score.distance < self.nearest {
            self.nearest = score.distance;
            self.refused.clone_from(&ran.refused);
        }
        if let End::Threw {
            class,
            message,
            trace,
        } = &ran.end
        {
            if self.elsewhere.is_none()
                && Some(class) == goal.exception.as_ref()
                && score.level == 0
            {
                let of_program = trace.iter().find(|frame| {
                    !is_of_jdk(&frame.class) && !frame.class.starts_with("recrash.synth.")
                });
                self.elsewhere = of_program.cloned();
            }
            if self.broken.is_none() && class == "java.lang.NoClassDefFoundError" {
                self.broken = Some(message.clone());
            }
        }
    }
}

impl Found {
    /// Whether the solver proved that no state at the entry of the level's method leads to the crash.
    pub(crate) fn is_unreachable(&self, level: usize) -> bool {
        let known = self.conditions.of(level);
        known.is_some_and(|known| known.unreachable)
    }

    /// What another thread found, too.
    pub(crate) fn add(&mut self, other: Found) {
        self.findings.extend(other.findings);
        self.findings.sort_by_key(|finding| finding.level);
        self.tried += other.tried;
        for tried in other.levels {
            match self
                .levels
                .iter_mut()
                .find(|known| known.level == tried.level)
            {
                Some(known) if known.nearest <= tried.nearest => {}
                Some(known) => *known = tried,
                None => self.levels.push(tried),
            }
        }
        self.levels.sort_by_key(|tried| tried.level);
    }
}

impl Tried {
    /// How near it came, in words.
    pub(crate) fn words(&self) -> &'static str {
        if self.nearest < 1.0 {
            "the line was reached"
        } else if self.nearest.is_finite() {
            "the line was not reached yet"
        } else {
            "the method was not called yet"
        }
    }
}
