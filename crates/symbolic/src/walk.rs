//! The walk: from the place of the throw back to the entry of a frame's method (STAR 3.1, algorithm 1).
//!
//! States are taken from a stack, the last first, so that the walk goes deep before it goes wide. A state is followed until
//! it has to decide, ends at an entry, or contradicts itself.

use std::time::{Duration, Instant};

use recrash_program::{BlockId, Op, Program};

use crate::code::Codes;
use crate::cores::Cores;
use crate::error::Result;
use crate::merge::MergeChecks;
use crate::precondition::Precondition;
use crate::prune;
use crate::rewrite::Change;
use crate::smt::Script;
use crate::solver::{Answer, Solver};
use crate::state::{Context, State};
use crate::step::branch;
use crate::target::{Options, Outcome, Reason, Statistics, Target, Verdict};
use crate::term::Terms;
use crate::writes::WritesOf;

pub(crate) struct Walk<'a, 'p> {
    pub(crate) program: &'p Program,
    pub(crate) terms: Terms<'p>,
    pub(crate) codes: &'a Codes<'p>,
    pub(crate) writes: &'a WritesOf<'a, 'p>,
    pub(crate) target: &'a Target,
    pub(crate) options: &'a Options,
    pub(crate) solver: &'a mut Solver,
    /// The frame at whose entry the walk ends, counted from 1.
    pub(crate) level: usize,
    pending: Vec<State>,
    merge_checks: MergeChecks,
    cores: Cores,
    pub(crate) statistics: Statistics,
    pub(crate) found: Vec<Precondition>,
    deadline: Instant,
    frames: u32,
    decisions: u32,
    /// Why an empty result would prove nothing.
    pub(crate) missed: Option<Reason>,
}

/// Where following a state ended.
enum End {
    /// It goes on as these.
    Decided(Vec<State>),
    Entry(Box<State>),
    /// Conditions that hold for all that share so many decisions contradict each other.
    Contradiction(Vec<u32>),
    /// The time is over.
    Cut,
}

impl<'a, 'p> Walk<'a, 'p> {
    pub(crate) fn new(
        codes: &'a Codes<'p>,
        writes: &'a WritesOf<'a, 'p>,
        solver: &'a mut Solver,
        target: &'a Target,
        level: usize,
        options: &'a Options,
    ) -> Walk<'a, 'p> {
        Walk {
            program: codes.program,
            terms: Terms::new(codes.program),
            codes,
            writes,
            target,
            options,
            solver,
            level,
            pending: Vec::new(),
            merge_checks: MergeChecks::default(),
            cores: Cores::default(),
            statistics: Statistics::default(),
            found: Vec::new(),
            deadline: Instant::now() + options.budget,
            frames: 0,
            decisions: 0,
            missed: None,
        }
    }

    /// A number for one more walk through a method.
    pub(crate) fn frame(&mut self) -> u32 {
        self.frames += 1;
        self.frames
    }

    pub(crate) fn decision(&mut self) -> u32 {
        self.decisions += 1;
        self.decisions
    }

    /// An empty result will prove nothing.
    pub(crate) fn miss(&mut self, reason: Reason) {
        self.missed.get_or_insert(reason);
    }

    pub(crate) fn run(mut self) -> Result<Outcome> {
        let start = Instant::now();
        let before = self.solver.checks;
        let starts = self.starts();
        let nothing = starts.is_empty();
        self.enqueue(starts);
        while let Some(state) = self.pending.pop() {
            if self.found.len() >= self.options.wanted {
                break;
            }
            if Instant::now() >= self.deadline || self.options.is_stopped() {
                self.missed = Some(Reason::Time);
                break;
            }
            match self.follow(state)? {
                End::Decided(states) => self.enqueue(states),
                End::Entry(state) => {
                    self.statistics.paths += 1;
                    self.entry(*state)?;
                }
                End::Contradiction(shared) => {
                    self.statistics.paths += 1;
                    self.forget(&shared);
                }
                End::Cut => {}
            }
        }
        self.statistics.checks = self.solver.checks - before;
        self.statistics.time = start.elapsed();
        let verdict = match (self.found.is_empty(), self.missed) {
            (false, _) => Verdict::Found,
            (true, _) if nothing => Verdict::GaveUp(Reason::NothingThrows),
            (true, Some(reason)) => Verdict::GaveUp(reason),
            (true, None) => Verdict::Unreachable,
        };
        Ok(Outcome {
            preconditions: self.found,
            verdict,
            statistics: self.statistics,
        })
    }

    /// The first is followed first.
    pub(crate) fn enqueue(&mut self, states: Vec<State>) {
        self.pending.extend(states.into_iter().rev());
    }

    /// A state contradicts itself, and so does what shares these decisions.
    pub(crate) fn end(&mut self, state: &State, shared: &[u32]) {
        self.note(state);
        self.forget(shared);
    }

    /// Takes out what shares these decisions (STAR 3.2.2).
    fn forget(&mut self, shared: &[u32]) {
        self.pending
            .retain(|state| !state.decisions.starts_with(shared));
    }

    pub(crate) fn shared(&self, state: &State, depth: usize) -> Vec<u32> {
        let all = &state.decisions;
        if self.options.unsat_core {
            all.get(..depth).unwrap_or(all).to_vec()
        } else {
            all.clone()
        }
    }

    fn follow(&mut self, mut state: State) -> Result<End> {
        loop {
            if self.options.merge_contradictions
                && let Some(depth) = state.contradiction()
            {
                self.note(&state);
                return Ok(End::Contradiction(self.shared(&state, depth)));
            }
            let Some(context) = state.stack.last_mut() else {
                return Ok(End::Cut);
            };
            if context.at == 0 {
                if context.block != BlockId(0) {
                    return self.back(state);
                }
                if state.stack.len() == 1 {
                    return Ok(End::Entry(Box::new(state)));
                }
                // On with the caller, in front of the call.
                state.stack.pop();
                if let Some(caller) = state.stack.last_mut() {
                    caller.call = None;
                }
                continue;
            }
            context.at -= 1;
            let code = context.code.clone();
            let instruction = code
                .block(context.block)
                .and_then(|block| block.instructions.get(context.at))
                .and_then(|&id| Some((id, code.value(id)?)));
            let Some((id, value)) = instruction else {
                continue;
            };
            if matches!(value.op, Op::Invoke { .. } | Op::InvokeDynamic { .. }) {
                let mut states = self.call(state, id, value);
                match states.pop() {
                    Some(one) if states.is_empty() => state = one,
                    Some(last) => {
                        states.push(last);
                        return Ok(End::Decided(states));
                    }
                    // It never returns.
                    None => return Ok(End::Contradiction(vec![u32::MAX])),
                }
            } else {
                state.step(&mut self.terms, id);
            }
        }
    }

    /// What a proof would have to say about a state that ends.
    fn note(&mut self, state: &State) {
        if state.assumed {
            self.miss(Reason::Assumed);
        }
    }

    /// From the start of a block to where it is reached from.
    fn back(&mut self, mut state: State) -> Result<End> {
        if Instant::now() >= self.deadline || self.options.is_stopped() {
            self.missed = Some(Reason::Time);
            return Ok(End::Cut);
        }
        if self.options.prune_paths
            && let Some((block, assumes)) = prune::skip(&self.terms, self.writes, &state)
        {
            state.assumed |= assumes;
            let state = self.jump(state, block);
            return Ok(End::Decided(state.into_iter().collect()));
        }
        let Some(context) = state.top().cloned() else {
            return Ok(End::Cut);
        };
        let ways = context.code.ways(context.block);
        let several = ways.len() > 1;
        if several
            && self.options.merge_contradictions
            && let Some(shared) = self.known_contradiction(&state)
        {
            self.note(&state);
            return Ok(End::Contradiction(shared));
        }
        if several
            && self.options.merge_contradictions
            && let Some(limit) = self.merge_checks.limit()
        {
            let (answer, shared) = self.ask(&mut state, limit.min(self.limit()))?;
            self.merge_checks.learn(answer);
            if answer == Answer::Unsatisfiable {
                self.note(&state);
                return Ok(End::Contradiction(shared));
            }
        }
        let writes = several.then(|| {
            let top = context.code.dominator(context.block).unwrap_or(BlockId(0));
            let region = context.code.between(top, context.block);
            self.writes.blocks(&context.code, &region)
        });
        let mut states = Vec::new();
        for (operand, way) in ways {
            let mut state = state.clone();
            if let Some(writes) = &writes {
                state.decisions.push(self.decision());
                state.decided(&self.terms, writes);
            }
            self.merge(&mut state, &context, operand, several);
            let Some(block) = context.code.block(way.from) else {
                continue;
            };
            if way.exceptional {
                states.extend(self.thrown(&state, context.block, way.from));
                continue;
            }
            let condition = branch(&mut self.terms, &context, block, context.block);
            state.require(&self.terms, condition);
            self.statistics.conditions += 1;
            states.extend(self.jump(state, way.from));
        }
        if several {
            self.statistics.branches += 1;
        }
        Ok(End::Decided(states))
    }

    /// Phis are what comes by this way, all at once.
    fn merge(&mut self, state: &mut State, context: &Context, operand: usize, several: bool) {
        let phis = context
            .code
            .block(context.block)
            .map(|block| block.phis.clone());
        let values = phis
            .unwrap_or_default()
            .into_iter()
            .filter_map(|phi| match context.code.value(phi).map(|it| &it.op) {
                Some(Op::Phi(operands)) => {
                    let operand = *operands.get(operand)?;
                    Some((phi, context.local(&mut self.terms, operand)))
                }
                _ => None,
            })
            .collect();
        let change = Change::Values(context.frame, values);
        state.undo(&mut self.terms, &change, several);
    }

    /// To the end of a block, unless the way has been there too often.
    pub(crate) fn jump(&mut self, mut state: State, to: BlockId) -> Option<State> {
        let context = state.stack.last_mut()?;
        let visits = context.visits.entry(to).or_insert(0);
        *visits += 1;
        if *visits > self.options.loop_bound {
            self.miss(Reason::LoopBound);
            return None;
        }
        context.block = to;
        context.at = context.code.block(to).map_or(0, |it| it.instructions.len());
        Some(state)
    }

    pub(crate) fn limit(&self) -> Duration {
        let left = self.deadline.saturating_duration_since(Instant::now());
        self.options
            .check_limit
            .min(left)
            .max(Duration::from_millis(20))
    }

    /// Asks the solver, if there is something new to ask. With a contradiction comes what all share that have it.
    pub(crate) fn ask(&mut self, state: &mut State, limit: Duration) -> Result<(Answer, Vec<u32>)> {
        let terms = state.terms();
        // What is part of something that can be true can be true.
        if terms.iter().all(|term| state.possible.contains(term)) {
            return Ok((Answer::Satisfiable, Vec::new()));
        }
        let script = Script::of(&self.terms, &terms);
        self.solver.push()?;
        self.solver.tell(&script.text)?;
        let answer = self.solver.check(limit)?;
        let shared = match answer {
            Answer::Unsatisfiable => self.contradicted(state)?,
            _ => Vec::new(),
        };
        self.solver.pop()?;
        if answer == Answer::Satisfiable {
            state.possible = terms;
        }
        Ok((answer, shared))
    }

    /// What all share that have a contradiction which was met before.
    pub(crate) fn known_contradiction(&self, state: &State) -> Option<Vec<u32>> {
        let depth = self.cores.depth_in(&state.conditions)?;
        Some(self.shared(state, depth))
    }

    /// What all share that have the contradiction which the solver has just found.
    pub(crate) fn contradicted(&mut self, state: &State) -> Result<Vec<u32>> {
        if !self.options.unsat_core {
            return Ok(state.decisions.clone());
        }
        let core = self.solver.core()?;
        let conditions = core.iter().filter_map(|name| {
            let place: usize = name.strip_prefix('c')?.parse().ok()?;
            state.conditions.get(place)
        });
        let (terms, depths): (Vec<_>, Vec<_>) = conditions.map(|it| (it.term, it.depth)).unzip();
        let deepest = depths.into_iter().max();
        self.cores.learn(terms);
        Ok(self.shared(state, deepest.unwrap_or(state.decisions.len())))
    }
}
