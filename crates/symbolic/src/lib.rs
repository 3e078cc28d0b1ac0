//! Backward symbolic execution: from a stack trace to what has to hold at the entry of its methods (STAR, TSE'14).
//!
//! This crate knows byte code (`program`) and a solver (Z3, as a process). It runs no JVM and makes no objects: it says
//! what they would have to be. [`Session::solve`] is all there is to call; what it is asked is a [`Target`], what it answers an
//! [`Outcome`] with [`Precondition`]s.
//!
//! A condition is a [`term`] over the values at one place of the code. `initial` makes the first ones (what a throw at
//! the line needs), `walk` carries them back, instruction by instruction (`step`), over calls (`call`, `models`) and
//! through what branches decide, to the entry of the method; then on at the call in the next frame. `rewrite` undoes what an
//! instruction did; `simplify` keeps terms small. `smt` and `solver` ask; `reader` reads the answer as a state (`precondition`),
//! `show` as Java.
//!
//! What errs how: a call that is not looked into may give anything, and a part that is left out may do anything but throw, so
//! a precondition can be wrong, and whoever uses it has to try it. [`Verdict::Unreachable`] is not: it is said only when
//! nothing was cut off or assumed.
//!
//! Never uses: `std::fs`, `std::net`, `heap`, `jvm`.

mod arithmetic;
mod call;
mod code;
mod cores;
mod descriptor;
mod dispatch;
mod entry;
mod error;
mod handler;
mod initial;
mod instruction;
mod merge;
mod models;
mod precondition;
mod prune;
mod raises;
mod reader;
mod resolve;
mod rewrite;
mod sexp;
mod show;
mod simplify;
mod smt;
mod smt_arithmetic;
mod solver;
mod state;
mod step;
mod subclasses;
mod target;
mod term;
mod walk;
mod writes;

pub use error::{Error, Result};
pub use precondition::{Array, Input, Object, Precondition};
pub use solver::{Answer, Solver};
pub use target::{LibraryFrame, Options, Outcome, Place, Reason, Statistics, Target, Verdict};

use recrash_program::Program;

/// A program that is asked about more than once: what was found out about its methods is kept.
pub struct Session<'p> {
    codes: code::Codes<'p>,
    writes: writes::KnownWrites,
}

impl<'p> Session<'p> {
    pub fn new(program: &'p Program) -> Session<'p> {
        Session {
            codes: code::Codes::new(program),
            writes: writes::KnownWrites::default(),
        }
    }

    /// What has to hold at the entry of the `level`-th frame, counted from 1, for the crash to happen through all frames inside.
    pub fn solve(
        &self,
        target: &Target,
        level: usize,
        options: &Options,
        solver: &mut Solver,
    ) -> Result<Outcome> {
        let writes = writes::WritesOf::new(&self.codes, &self.writes);
        let mut first: Option<Outcome> = None;
        // Where looking into calls led to nothing, less of that may still tell something.
        let mut depth = options.call_depth;
        let mut budget = options.budget;
        loop {
            if depth > 0 {
                budget /= 2;
            }
            let options = Options {
                call_depth: depth,
                budget,
                ..options.clone()
            };
            let walk = walk::Walk::new(&self.codes, &writes, solver, target, level, &options);
            let mut outcome = walk.run()?;
            if let Some(before) = &first {
                outcome.statistics.add(&before.statistics);
            }
            let decided = match outcome.verdict {
                Verdict::Found | Verdict::Unreachable => true,
                Verdict::GaveUp(reason) => matches!(reason, Reason::NothingThrows | Reason::NoCall),
            };
            if depth == 0 || decided {
                return Ok(outcome);
            }
            first = Some(outcome);
            depth /= 2;
        }
    }
}
