//! How near a program came to the crash.

use recrash_judge::agreeing_levels;
use recrash_trace::TraceLine;

use crate::fit::{Fit, Goal};
use crate::probes::Probes;
use crate::runner::{End, Ran};

/// What a run is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Score {
    /// Frames of the trace, from the innermost on, that the thrown exception has; 0 unless it is the right one.
    pub(crate) level: usize,
    /// Smaller is nearer; below 1 every frame's line was reached.
    pub(crate) distance: f64,
    /// Of two that are as near, the one that came to more places is the better start.
    pub(crate) places: usize,
}

impl Score {
    pub(crate) const WORST: Score = Score {
        level: 0,
        distance: f64::INFINITY,
        places: 0,
    };

    /// Towards frames `0..level` of the goal.
    pub(crate) fn of(goal: &Goal, probes: &Probes, level: usize, ran: &Ran) -> Score {
        // What came of a refusal is not what comes in a test, where nothing is refused.
        let reached = match ran.refused {
            None => reproduced(goal, ran),
            Some(_) => 0,
        };
        let distance = match &ran.end {
            _ if reached >= level => 0.0,
            End::Impossible(_) | End::TooLong => f64::INFINITY,
            _ => missing(goal, probes, level, ran),
        };
        Score {
            level: reached,
            distance,
            places: ran.passed.len(),
        }
    }
}

/// How many frames, from the innermost on, agree; 0 if another exception was thrown.
pub(crate) fn reproduced(goal: &Goal, ran: &Ran) -> usize {
    match &ran.end {
        End::Threw { class, trace, .. } => level(goal, class, trace),
        _ => 0,
    }
}

/// The same for an exception that was seen elsewhere.
pub(crate) fn level(goal: &Goal, class: &str, trace: &[TraceLine]) -> usize {
    match &goal.exception {
        Some(wanted) if wanted != class => 0,
        _ => matching(goal, trace),
    }
}

fn matching(goal: &Goal, trace: &[TraceLine]) -> usize {
    let wanted = goal.frames.iter().map(|wanted| {
        let counts = !matches!(wanted.fit, Fit::Jdk | Fit::MadeAtRunTime);
        counts.then_some(|seen: &TraceLine| wanted.is(&seen.class, &seen.method, seen.line))
    });
    agreeing_levels(wanted, trace)
}

/// How much of the program was not run, from 0 to 1: one that makes more of its objects is nearer to the call.
fn unfinished(ran: &Ran) -> f64 {
    let left = ran.length.saturating_sub(ran.statement + 1);
    let left = u32::try_from(left).map_or(f64::MAX, f64::from);
    left / (left + 4.0)
}

/// Frames that were not reached, from the outermost wanted one inwards, and how far the first of them was missed.
fn missing(goal: &Goal, probes: &Probes, level: usize, ran: &Ran) -> f64 {
    let mut left = u32::try_from(level).map_or(f64::MAX, f64::from);
    for frame in (0..level).rev() {
        let in_program = goal
            .frames
            .get(frame)
            .is_some_and(|frame| !frame.methods().is_empty());
        if in_program {
            match probes.missed_by(frame, &ran.passed) {
                Some(0) => {}
                Some(steps) => return left + f64::from(steps) / (f64::from(steps) + 1.0),
                None => return left + 1.0 + 0.9 * unfinished(ran),
            }
        }
        left -= 1.0;
    }
    // All lines were reached: does the exception agree, and its place?
    match &ran.end {
        End::Threw { class, trace, .. } => {
            let right = goal.exception.as_ref().is_none_or(|wanted| wanted == class);
            let place = matching(goal, trace) > 0;
            match (right, place) {
                (true, _) => 0.3,
                (false, true) => 0.5,
                (false, false) => 0.7,
            }
        }
        _ => 0.8,
    }
}
