//! Solves the trace's conditions beside the search: what has to hold at the entry of each level's method.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use recrash_program::Program;
use recrash_symbolic::{
    LibraryFrame, Options, Place, Precondition, Reason, Session, Solver, Target, Verdict,
};
use recrash_trace::Evidence;

use crate::fit::{Fit, Goal};

/// For one level; what is not solved by then rarely is later.
const LIMIT: Duration = Duration::from_secs(10);
/// Levels further out have the conditions of those inside, and many more.
const HIGHEST: usize = 4;

/// What is known so far, by level of the goal.
#[derive(Default)]
pub(crate) struct Conditions {
    levels: Mutex<HashMap<usize, Level>>,
    /// Set when nobody wants to know any more.
    over: Arc<AtomicBool>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Level {
    pub(crate) preconditions: Vec<Precondition>,
    /// Every way to the crash contradicts itself.
    pub(crate) unreachable: bool,
    /// Nothing was found, for this reason.
    pub(crate) gave_up: Option<Reason>,
    pub(crate) checks: u64,
}

impl Level {
    /// The shortest condition, as Java would write it; what happens whatever the state is needs none.
    pub(crate) fn first(&self) -> Option<String> {
        let texts = self.preconditions.iter().map(|known| &known.text);
        let shortest = texts.min_by_key(|text| text.len())?;
        (shortest != "true").then(|| shortest.clone())
    }
}

impl Conditions {
    pub(crate) fn of(&self, level: usize) -> Option<Level> {
        let levels = self.levels.lock().ok()?;
        levels.get(&level).cloned()
    }

    /// Questions to the solver, all levels together.
    pub(crate) fn checks(&self) -> u64 {
        let levels = self.levels.lock();
        levels.map_or(0, |levels| levels.values().map(|level| level.checks).sum())
    }

    /// Whoever solves ends soon.
    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Solves one level after the other.
    pub(crate) fn solve_all(&self, program: &Program, goal: &Goal) {
        let Some(mut question) = Question::of(program, goal) else {
            return;
        };
        for level in 1..=goal.frames.len() {
            if self.over.load(Ordering::Relaxed) {
                return;
            }
            self.solve(&mut question, level, LIMIT);
        }
    }

    /// Solves one level, if that can be.
    pub(crate) fn solve(&self, question: &mut Question<'_>, level: usize, limit: Duration) {
        let inner = level.saturating_sub(question.target.below.len());
        if inner == 0 || inner > question.target.frames.len().min(HIGHEST) {
            return;
        }
        let options = Options {
            budget: limit.min(LIMIT),
            stop: Some(Arc::clone(&self.over)),
            ..Options::default()
        };
        let outcome =
            question
                .session
                .solve(&question.target, inner, &options, &mut question.solver);
        let Ok(outcome) = outcome else {
            return;
        };
        let solved = Level {
            preconditions: outcome.preconditions,
            unreachable: outcome.verdict == Verdict::Unreachable,
            gave_up: match outcome.verdict {
                Verdict::GaveUp(reason) => Some(reason),
                _ => None,
            },
            checks: outcome.statistics.checks,
        };
        if let Ok(mut levels) = self.levels.lock() {
            levels.insert(level, solved);
        }
    }
}

/// A goal, ready to be asked about. Without a solver there is none, and the search goes on without.
pub(crate) struct Question<'p> {
    target: Target,
    session: Session<'p>,
    solver: Solver,
}

impl<'p> Question<'p> {
    pub(crate) fn of(program: &'p Program, goal: &Goal) -> Option<Question<'p>> {
        Some(Question {
            target: target(goal)?,
            session: Session::new(program),
            solver: Solver::start().ok()?,
        })
    }
}

/// Why no condition can be solved here, if so.
pub fn solver_problem() -> Option<String> {
    Solver::start().err().map(|error| error.to_string())
}

/// The goal as a question; `None` if no frame of the program comes first, or nobody knows what was thrown.
pub fn target(goal: &Goal) -> Option<Target> {
    let exception = goal.exception.clone()?;
    let mut below = Vec::new();
    let mut frames: Vec<Vec<Place>> = Vec::new();
    for frame in &goal.frames {
        match &frame.fit {
            Fit::Lines(places) => frames.push(
                places
                    .iter()
                    .map(|place| Place {
                        method: place.method,
                        ranges: place.ranges.clone(),
                    })
                    .collect(),
            ),
            Fit::Methods(methods) => frames.push(
                methods
                    .iter()
                    .map(|&method| Place {
                        method,
                        ranges: Vec::new(),
                    })
                    .collect(),
            ),
            Fit::Jdk if frames.is_empty() => below.push(LibraryFrame {
                class: frame.printed.class.replace('.', "/"),
                method: frame.printed.method.clone(),
            }),
            // A call through the JDK or generated code is not followed.
            Fit::Jdk | Fit::MadeAtRunTime | Fit::Misfit(_) => break,
        }
    }
    (!frames.is_empty()).then(|| Target {
        evidence: Evidence::of(&exception, goal.message.as_deref()),
        exception: exception.replace('.', "/"),
        below,
        frames,
    })
}
