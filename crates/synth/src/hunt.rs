//! One level's search: programs are grown, run, and those that came nearest are changed a little and run again.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use recrash_classfile::dotted;
use recrash_program::{ClassId, MethodId, Program};
use recrash_symbolic::Precondition;
use recrash_trace::Evidence;

use crate::conditions::Conditions;
use crate::entries::entries;
use crate::entry::Entry;
use crate::error::Result;
use crate::experience::Experience;
use crate::fit::{Goal, GoalFrame};
use crate::found::{Finding, Found, Tried};
use crate::grow::{Grower, Hints};
use crate::index::Index;
use crate::options::SearchOptions;
use crate::plan::Planner;
use crate::probes::Probes;
use crate::random::Random;
use crate::relevance::Relevance;
use crate::runner::{End, Ran, Runner};
use crate::score::Score;
use crate::seeds::Seeds;
use crate::sequence::Sequence;
use crate::setters::Setters;
use crate::world::{Callable, World, package_of};
use recrash_javagen::ProgramFacts;

/// Programs that are run between two looks at the clock.
const BATCH: usize = 24;
/// Those that are kept to be changed.
const KEPT: usize = 24;
/// Classes are loaded anew after so many times as long as that takes: until then static state is carried along, and what
/// was found is tried without it.
const LOADED_FOR: u32 = 15;
/// Batches between two words about what is going on.
const TOLD_EVERY: usize = 20;
/// Package of a test that may not lie beside what it tests.
const ELSEWHERE: &[u8] = b"crash";
/// Batches without anything nearer, after which everything is begun anew.
const PATIENCE: usize = 120;

/// What the threads of one search have in common.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'g> {
    pub(crate) goal: &'g Goal,
    pub(crate) probes: &'g Probes,
    /// The highest level found by any of them.
    pub(crate) reached: &'g AtomicUsize,
    pub(crate) conditions: &'g Conditions,
}

impl Shared<'_> {
    pub(crate) fn level(&self) -> usize {
        self.reached.load(Ordering::Relaxed)
    }
}

/// One level's search in one thread.
pub(crate) struct Hunt<'g, 'p> {
    world: World<'p>,
    entries: Vec<Entry>,
    shared: Shared<'g>,
    level: usize,
    /// Package of the test.
    package: Vec<u8>,
}

/// What changes while it goes on.
struct State<'h, 'p> {
    grower: Grower<'h, 'p>,
    setters: Setters<'h>,
    /// States that the user gave or the solver found, each with the call that it is about.
    planned: Vec<(Arc<Callable>, Precondition)>,
    /// The solver was heard.
    solved: bool,
    kept: Vec<Kept>,
    tried: Tried,
    /// Batches since something came nearer.
    idle: usize,
}

struct Kept {
    sequence: Sequence,
    score: Score,
    hints: Hints,
}

impl<'g, 'p> Hunt<'g, 'p> {
    pub(crate) fn new(
        program: &'p Program,
        facts: &'p ProgramFacts<'p>,
        index: &Rc<Index>,
        shared: Shared<'g>,
        level: usize,
        options: &SearchOptions<'_>,
    ) -> Self {
        let frame = shared.goal.frames.get(level.saturating_sub(1));
        let methods = frame.map(GoalFrame::methods).unwrap_or_default();
        let package = methods.first().map_or_else(Vec::new, |method| {
            let name = program.class_name(method.class);
            if (options.closes)(&dotted(&name)) {
                ELSEWHERE.to_vec()
            } else {
                package_of(&name).to_vec()
            }
        });
        let frames = shared.goal.frames.iter().take(level);
        let of_trace: Vec<MethodId> = frames.flat_map(GoalFrame::methods).collect();
        let relevance = Relevance::of(program, Rc::clone(index), of_trace.iter().copied());
        let mut world =
            World::new(program, facts, &package, Rc::clone(index)).preferring(relevance);
        if options.allow_reflection {
            world = world.reflecting(&of_trace);
        }
        Hunt {
            entries: entries(&world, &methods),
            world,
            shared,
            level,
            package,
        }
    }

    /// Until the level is found, by whomever, or time is up.
    pub(crate) fn run(
        &self,
        runner: &mut Runner,
        options: &SearchOptions<'_>,
        random: Random,
        end: Instant,
        found: &mut Found,
    ) -> Result<()> {
        let mut state = self.start(random, options);
        let (mut loaded, mut loading) = (Instant::now(), Duration::ZERO);
        let mut batches = 0;
        while !options.is_over(end) && self.shared.level() < self.level {
            if self.ask_solver(&mut state) {
                break;
            }
            let batch = self.batch(&mut state);
            if batch.is_empty() {
                break;
            }
            let anew = loaded.elapsed() > LOADED_FOR * loading;
            if anew {
                runner.fresh();
                loaded = Instant::now();
            }
            let answers = runner.run(&batch)?;
            if anew {
                loading = loaded.elapsed();
            }
            batches += 1;
            if batches % TOLD_EVERY == 0 {
                let (level, frames) = (self.level, self.shared.goal.frames.len());
                let (programs, nearest) = (runner.runs, state.tried.words());
                let text = format!("level {level} of {frames}: {programs} programs, {nearest}");
                (options.progress)(&text);
            }
            let nearest = state.tried.nearest;
            for (sequence, ran) in batch.into_iter().zip(answers) {
                if self.judge(runner, &mut state, sequence, ran, found)? {
                    return Ok(());
                }
            }
            state.idle = if state.tried.nearest < nearest {
                0
            } else {
                state.idle + 1
            };
            if state.idle > PATIENCE {
                state.kept.clear();
                state.idle = 0;
            }
        }
        found.levels.push(state.tried);
        Ok(())
    }

    fn start<'h>(&'h self, random: Random, options: &SearchOptions<'h>) -> State<'h, 'p> {
        let given = options.given;
        let goal = self.shared.goal;
        let message = goal.message.as_deref();
        let exception = goal.exception.as_deref();
        let evidence = exception.and_then(|class| Evidence::of(class, message));
        let frames = goal.frames.iter().take(self.level);
        let methods = || frames.clone().flat_map(GoalFrame::methods);
        let mut classes: Vec<ClassId> = methods().map(|method| method.class).collect();
        classes.sort_unstable();
        classes.dedup();
        let mut seeds = Seeds::of(self.world.program, methods(), evidence.as_ref(), message);
        seeds.give(&given.constants);
        let planned = given.states.iter().filter_map(|state| self.callable(state));
        State {
            grower: Grower {
                world: &self.world,
                seeds,
                experience: Experience::default(),
                static_uses: self.world.static_uses(&classes),
                random,
                nulls: match exception {
                    Some("java.lang.NullPointerException") => 25,
                    _ => 8,
                },
            },
            setters: Setters::new(options.summaries),
            planned: planned.collect(),
            solved: false,
            kept: Vec::new(),
            tried: Tried::new(self.level),
            idle: 0,
        }
    }

    /// Takes what the solver found, once it has; true if it proved that there is nothing to find.
    fn ask_solver(&self, state: &mut State<'_, 'p>) -> bool {
        if state.solved {
            return false;
        }
        let Some(known) = self.shared.conditions.of(self.level) else {
            return false;
        };
        for precondition in &known.preconditions {
            state.grower.seeds.take(precondition);
            state.planned.extend(self.callable(precondition));
        }
        state.solved = true;
        known.unreachable
    }

    /// With the call that a state is about, if a test can make it.
    fn callable(&self, state: &Precondition) -> Option<(Arc<Callable>, Precondition)> {
        let entry = self
            .entries
            .iter()
            .find(|entry| entry.callable.method == state.method)?;
        Some((Arc::clone(&entry.callable), state.clone()))
    }

    /// New programs, planned ones, and changed ones.
    fn batch(&self, state: &mut State<'_, 'p>) -> Vec<Sequence> {
        let grower = &mut state.grower;
        let planned = &state.planned;
        let mut batch = Vec::with_capacity(BATCH);
        for _ in 0..4 * BATCH {
            if batch.len() == BATCH {
                break;
            }
            let child = if !planned.is_empty() && grower.random.chance(30) {
                let chosen = grower.random.choose(planned);
                chosen.and_then(|(callable, precondition)| {
                    Planner::new(grower, &state.setters).plan(callable, precondition)
                })
            } else if state.kept.is_empty() || grower.random.chance(25) {
                let entry = grower.random.choose(&self.entries);
                entry.and_then(|entry| grower.grow(entry))
            } else {
                // The nearest are taken most often.
                let one = grower.random.below(state.kept.len());
                let other = grower.random.below(state.kept.len());
                let parent = state.kept.get(one.min(other));
                parent.map(|parent| grower.changed(&parent.sequence, &parent.hints))
            };
            batch.extend(child);
        }
        batch
    }

    /// Learns from a program; true if it is what was wanted.
    fn judge(
        &self,
        runner: &mut Runner,
        state: &mut State<'_, 'p>,
        sequence: Sequence,
        ran: Ran,
        found: &mut Found,
    ) -> Result<bool> {
        let goal = self.shared.goal;
        let score = Score::of(goal, self.shared.probes, self.level, &ran);
        state.grower.experience.learn(&sequence, &ran);
        if let End::Threw { message, .. } = &ran.end {
            state.grower.seeds.learn(message);
        }
        if score.level > self.shared.level() && self.confirmed(runner, &sequence, score.level)? {
            let reached = self.shared.reached;
            reached.fetch_max(score.level, Ordering::Relaxed);
            found.findings.push(Finding {
                level: score.level,
                sequence: sequence.first(ran.statement + 1),
                package: recrash_classfile::text(&self.package),
            });
            if score.level >= self.level {
                return Ok(true);
            }
        }
        state.tried.note(goal, score, &ran);
        let hints = Hints::of(&sequence, ran);
        keep(
            &mut state.kept,
            Kept {
                sequence,
                score,
                hints,
            },
        );
        Ok(false)
    }

    /// Once more, alone, with static state as it is at the start of a JVM.
    fn confirmed(&self, runner: &mut Runner, sequence: &Sequence, level: usize) -> Result<bool> {
        runner.fresh();
        let ran = runner.run(std::slice::from_ref(sequence))?;
        let score = ran.first().map_or(Score::WORST, |ran| {
            Score::of(self.shared.goal, self.shared.probes, level, ran)
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
