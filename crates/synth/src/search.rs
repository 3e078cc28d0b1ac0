//! The search: programs are grown, run, and those that came nearest are changed a little and run again.

use std::rc::Rc;
use std::time::{Duration, Instant};

use recrash_program::Program;
use recrash_trace::Evidence;

use crate::entry::{self, Entry};
use crate::error::Result;
use crate::fit::{Fit, Goal, GoalFrame};
use crate::grow::Grower;
use crate::probes::Probes;
use crate::random::Random;
use crate::reduce;
use crate::runner::{Runner, RunnerOptions};
use crate::score::Score;
use crate::seeds::Seeds;
use crate::sequence::Sequence;
use crate::world::{Index, World, package_of};

/// Programs that are run between two looks at the clock.
const BATCH: usize = 24;
/// Those that are kept to be changed.
const KEPT: usize = 24;
/// Once something is found, a level further out gets as long as all before it, and at least so long.
const LEAST_SHARE: Duration = Duration::from_secs(3);
/// Levels in a row that may be missed once something is found.
const MOST_MISSED: usize = 2;
/// Batches between two new class loaders: static state is carried along so far, and what was found is tried without it.
const LOADED_FOR: usize = 40;
/// Batches without anything nearer, after which everything is begun anew.
const PATIENCE: usize = 120;

#[derive(Debug, Clone)]
pub struct SearchOptions {
    pub runner: RunnerOptions,
    pub budget: Duration,
    pub seed: u64,
}

/// What was found for a trace.
#[derive(Debug)]
pub struct Found {
    /// Frames reproduced, 0 for none.
    pub level: usize,
    pub(crate) sequence: Option<Sequence>,
    /// Package of the test, with slashes.
    pub package: String,
    pub tried: u64,
    pub took: Duration,
    /// How near it came at the level above.
    pub nearest: f64,
    /// What programs were not allowed to do, if that may be what is missing.
    pub refused: Option<String>,
}

/// Searches for each level in turn; what is found for one is the start for the next.
pub fn search(program: &Program, goal: &Goal, options: &SearchOptions) -> Result<Found> {
    let begin = Instant::now();
    let probes = Probes::set(program, goal);
    let index = Rc::new(Index::of(program));
    let mut runner = Runner::new(options.runner.clone(), probes.classes.clone());
    let mut found = Found {
        level: 0,
        sequence: None,
        package: String::new(),
        tried: 0,
        took: Duration::ZERO,
        nearest: f64::INFINITY,
        refused: None,
    };
    let levels: Vec<usize> = (1..=goal.frames.len())
        .filter(|level| {
            let frame = goal.frames.get(level - 1);
            frame.is_some_and(|frame| matches!(frame.fit, Fit::Lines(_) | Fit::Methods(_)))
        })
        .collect();
    let mut missed = 0;
    for (number, &level) in levels.iter().enumerate() {
        if found.level >= level {
            continue;
        }
        let left = options.budget.saturating_sub(begin.elapsed());
        // Half of what is left for each level: the first ones matter most.
        let mut share = if number + 1 == levels.len() {
            left
        } else {
            left / 2
        };
        if found.level > 0 {
            share = share.min(LEAST_SHARE.max(begin.elapsed()));
        }
        if share < Duration::from_millis(200) {
            break;
        }
        let mut hunt = Hunt::new(program, &index, goal, &probes, level, options.seed);
        hunt.run(&mut runner, Instant::now() + share, &mut found)?;
        if found.level >= level {
            missed = 0;
        } else if found.level > 0 {
            // A level further out may be easier to start at, but not all of them.
            missed += 1;
            if missed == MOST_MISSED {
                break;
            }
        }
    }
    if let Some(sequence) = found.sequence.take() {
        let wanted = found.level;
        let still = |runner: &mut Runner, candidate: &Sequence| {
            runner.fresh();
            let ran = runner.run(std::slice::from_ref(candidate))?;
            let score = ran.first().map(|ran| Score::of(goal, &probes, wanted, ran));
            Ok(score.is_some_and(|score| score.level >= wanted))
        };
        found.sequence = Some(reduce::reduce(&sequence, |candidate| {
            still(&mut runner, candidate)
        })?);
    }
    found.tried = runner.runs;
    found.took = begin.elapsed();
    Ok(found)
}

/// One level's search.
struct Hunt<'g, 'p> {
    world: World<'p>,
    seeds: Seeds,
    entries: Vec<Entry>,
    goal: &'g Goal,
    probes: &'g Probes,
    level: usize,
    package: String,
    seed: u64,
}

struct Kept {
    sequence: Sequence,
    score: Score,
}

impl<'g, 'p> Hunt<'g, 'p> {
    fn new(
        program: &'p Program,
        index: &Rc<Index>,
        goal: &'g Goal,
        probes: &'g Probes,
        level: usize,
        seed: u64,
    ) -> Self {
        let methods: Vec<_> = goal
            .frames
            .get(level - 1)
            .map(GoalFrame::methods)
            .unwrap_or_default();
        let package = methods
            .first()
            .map(|method| package_of(&program.class_name(method.class)).to_vec())
            .unwrap_or_default();
        let world = World::new(program, &package, Rc::clone(index));
        let evidence = goal
            .exception
            .as_deref()
            .and_then(|class| Evidence::of(class, goal.message.as_deref()));
        let on_the_way = goal.frames.iter().take(level).flat_map(GoalFrame::methods);
        let seeds = Seeds::of(
            program,
            on_the_way,
            evidence.as_ref(),
            goal.message.as_deref(),
        );
        let entries = entry::entries(&world, &methods);
        Hunt {
            world,
            seeds,
            entries,
            goal,
            probes,
            level,
            package: recrash_classfile::text(&package),
            seed,
        }
    }

    fn run(&mut self, runner: &mut Runner, end: Instant, found: &mut Found) -> Result<()> {
        if self.entries.is_empty() {
            return Ok(());
        }
        let nulls = match self.goal.exception.as_deref() {
            Some("java.lang.NullPointerException") => 25,
            _ => 8,
        };
        let mut grower = Grower {
            world: &self.world,
            seeds: &self.seeds,
            random: Random::new(self.seed ^ self.level as u64),
            nulls,
        };
        let mut kept: Vec<Kept> = Vec::new();
        let mut idle = 0;
        let mut batches = 0;
        found.nearest = f64::INFINITY;
        while Instant::now() < end {
            let mut batch = Vec::with_capacity(BATCH);
            for _ in 0..4 * BATCH {
                if batch.len() == BATCH {
                    break;
                }
                let child = if kept.is_empty() || grower.random.chance(25) {
                    let entry = grower.random.choose(&self.entries).cloned();
                    entry.and_then(|entry| grower.grow(&entry))
                } else {
                    // The nearest are taken most often.
                    let one = grower.random.below(kept.len());
                    let other = grower.random.below(kept.len());
                    kept.get(one.min(other))
                        .map(|parent| parent.sequence.clone())
                        .map(|parent| grower.changed(&parent))
                };
                batch.extend(child);
            }
            if batch.is_empty() {
                return Ok(());
            }
            if batches % LOADED_FOR == 0 {
                runner.fresh();
            }
            batches += 1;
            let answers = runner.run(&batch)?;
            let mut nearer = false;
            for (sequence, ran) in batch.into_iter().zip(answers) {
                let score = Score::of(self.goal, self.probes, self.level, &ran);
                if score.level > found.level && self.confirmed(runner, &sequence, score.level)? {
                    found.level = score.level;
                    found.sequence = Some(truncated(&sequence, ran.statement));
                    found.package.clone_from(&self.package);
                    if score.level >= self.level {
                        found.nearest = 0.0;
                        return Ok(());
                    }
                }
                if ran.refused.is_some() && score.distance < found.nearest {
                    found.refused = ran.refused;
                }
                nearer |= score.distance < found.nearest;
                found.nearest = found.nearest.min(score.distance);
                keep(&mut kept, Kept { sequence, score });
            }
            idle = if nearer { 0 } else { idle + 1 };
            if idle > PATIENCE {
                kept.clear();
                idle = 0;
            }
        }
        Ok(())
    }

    /// Once more, alone, with static state as it is at the start of a JVM.
    fn confirmed(&self, runner: &mut Runner, sequence: &Sequence, level: usize) -> Result<bool> {
        runner.fresh();
        let ran = runner.run(std::slice::from_ref(sequence))?;
        let score = ran.first().map_or(Score::WORST, |ran| {
            Score::of(self.goal, self.probes, level, ran)
        });
        Ok(score.level >= level)
    }
}

/// Sorted by nearness, then by the places it came to, then by length.
fn keep(kept: &mut Vec<Kept>, new: Kept) {
    if !new.score.distance.is_finite() {
        return;
    }
    let key = |one: &Kept| {
        let places = std::cmp::Reverse(one.score.places);
        (one.score.distance, places, one.sequence.statements.len())
    };
    let at = kept.partition_point(|old| key(old) <= key(&new));
    if at >= KEPT || kept.iter().any(|old| old.sequence == new.sequence) {
        return;
    }
    kept.insert(at, new);
    kept.truncate(KEPT);
}

/// Without what comes after the statement that threw.
fn truncated(sequence: &Sequence, statement: usize) -> Sequence {
    Sequence {
        statements: sequence
            .statements
            .iter()
            .take(statement + 1)
            .cloned()
            .collect(),
    }
}
