//! The search for a trace: threads, levels, and what is made of what they find.

use std::rc::Rc;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};

use recrash_program::Program;

use crate::conditions::{Conditions, Question};
use crate::error::Result;
use crate::fit::{Fit, Goal};
use crate::found::{Finding, Found};
use crate::hunt::{Hunt, Shared};
use crate::index::Index;
use crate::options::SearchOptions;
use crate::probes::Probes;
use crate::random::Random;
use crate::reduce;
use crate::runner::Runner;
use crate::score::Score;
use crate::sequence::Sequence;
use recrash_javagen::ProgramFacts;

/// Once something is found, a level further out gets this part of the budget.
const FURTHER: u32 = 30;
/// Levels in a row that may be missed once something is found.
const MOST_MISSED: usize = 2;

/// Searches in several threads, each with programs of its own. What was found is reduced and shown to `holds`, the highest
/// level first; if it does not hold, the next lower one is. The last of the findings is the one that held.
pub(crate) fn search(
    program: &Program,
    goal: &Goal,
    options: &SearchOptions<'_>,
    mut holds: impl FnMut(&Finding, &Conditions) -> Result<bool>,
) -> Result<Found> {
    let begin = Instant::now();
    let probes = Probes::set(program, goal);
    let reached = AtomicUsize::new(0);
    let conditions = Conditions::default();
    let searches: Vec<Result<Found>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..options.threads.max(1))
            .map(|thread| {
                let shared = Shared {
                    goal,
                    probes: &probes,
                    reached: &reached,
                    conditions: &conditions,
                };
                scope.spawn(move || levels(program, options, shared, thread))
            })
            .collect();
        // One thread is to do the same every time: it solves for itself.
        if options.threads > 1 {
            scope.spawn(|| conditions.solve_all(program, goal));
        }
        let ended = threads.into_iter().map(std::thread::ScopedJoinHandle::join);
        let ended = ended.filter_map(std::result::Result::ok).collect();
        conditions.end();
        ended
    });
    let mut found = Found::default();
    for search in searches {
        found.add(search?);
    }
    settle(&mut found, goal, options, &probes, |finding| {
        holds(finding, &conditions)
    })?;
    found.conditions = conditions;
    found.took = begin.elapsed();
    Ok(found)
}

/// Searches for each level in turn.
fn levels(
    program: &Program,
    options: &SearchOptions<'_>,
    shared: Shared<'_>,
    thread: usize,
) -> Result<Found> {
    let Shared { goal, probes, .. } = shared;
    let begin = Instant::now();
    let index = Rc::new(Index::of(program, thread));
    let facts = ProgramFacts::of(program);
    let mut runner = Runner::new(options.runner.clone(), probes.classes.clone());
    let mut found = Found::default();
    let levels: Vec<usize> = (1..=goal.frames.len())
        .filter(|level| {
            let frame = goal.frames.get(level - 1);
            frame.is_some_and(|frame| matches!(frame.fit, Fit::Lines(_) | Fit::Methods(_)))
        })
        .collect();
    let mut question = match options.threads {
        0 | 1 => Question::of(program, goal),
        _ => None,
    };
    let mut missed = 0;
    for (number, &level) in levels.iter().enumerate() {
        let so_far = shared.level();
        if so_far >= level {
            missed = 0;
            continue;
        }
        let left = options.budget.saturating_sub(begin.elapsed());
        // Half of what is left for each level: the first ones matter most.
        let mut share = if number + 1 == levels.len() {
            left
        } else {
            left / 2
        };
        if so_far > 0 {
            share = share.min(options.budget / FURTHER);
        }
        if share < Duration::from_millis(200) {
            break;
        }
        if let Some(question) = &mut question {
            shared.conditions.solve(question, level, share / 8);
        }
        let hunt = Hunt::new(program, &facts, &index, shared, level, options);
        let random = Random::new(options.seed ^ level as u64 ^ (thread as u64) << 32);
        hunt.run(
            &mut runner,
            options,
            random,
            Instant::now() + share,
            &mut found,
        )?;
        let so_far = shared.level();
        if so_far >= level {
            missed = 0;
        } else if so_far > 0 {
            // A level further out may be easier to start at, but not all of them.
            missed += 1;
            if missed == MOST_MISSED {
                break;
            }
        }
    }
    found.tried = runner.runs;
    Ok(found)
}

/// Reduces what was found, and drops what does not hold.
fn settle(
    found: &mut Found,
    goal: &Goal,
    options: &SearchOptions<'_>,
    probes: &Probes,
    mut holds: impl FnMut(&Finding) -> Result<bool>,
) -> Result<()> {
    let mut runner = Runner::new(options.runner.clone(), probes.classes.clone());
    while let Some(finding) = found.findings.last_mut() {
        let wanted = finding.level;
        let mut still = |candidate: &Sequence, fresh: bool| {
            if fresh {
                runner.fresh();
            }
            let ran = runner.run(std::slice::from_ref(candidate))?;
            let score = ran.first().map(|ran| Score::of(goal, probes, wanted, ran));
            Ok(score.is_some_and(|score| score.level >= wanted))
        };
        // Loading the program's classes anew for each step takes long, and static state rarely matters.
        let mut reduced = reduce::reduce(&finding.sequence, |step| still(step, false))?;
        if !still(&reduced, true)? {
            reduced = reduce::reduce(&finding.sequence, |step| still(step, true))?;
        }
        finding.sequence = reduced;
        if holds(finding)? {
            break;
        }
        found.findings.pop();
        found.unconfirmed = true;
    }
    found.tried += runner.runs;
    Ok(())
}
