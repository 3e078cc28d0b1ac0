//! From a stack trace alone to a test that crashes in the same place.
//!
//! [`Goal::of`] looks every frame up in the class path; a class path that does not fit is told apart from a search that
//! fails. [`search`] grows straight-line programs, runs them in a JVM of their own and changes those that came nearest;
//! what it finds is reduced and written as a JUnit test by [`Found::source`].
//!
//! Data flows one way: `fit` (the goal) → `world`, `entry`, `seeds` (what there is to call and to pass) → `grow` (programs)
//! → `runner` (the JVM), `probes`, `score` (how near it came) → `search` → `reduce` → `source`.

mod attempt;
mod entry;
mod error;
mod fit;
mod grow;
mod jdk;
mod probes;
mod random;
mod reduce;
mod runner;
mod score;
mod search;
mod seeds;
mod sequence;
mod source;
mod world;

pub use attempt::{Attempt, Setting, Verdict, attempt};
pub use error::{Error, Result};
pub use fit::{Fit, Goal, GoalFrame, Misfit, Place, printed};
pub use runner::RunnerOptions;
pub use search::{Found, SearchOptions, search};
pub use source::Source;

use recrash_program::Program;

impl Found {
    /// The test, if there is one.
    pub fn source(&self, program: &Program, goal: &Goal) -> Option<Source> {
        let sequence = self.sequence.as_ref()?;
        // To write what was found, nothing has to be found again.
        let index = world::Index::default();
        let world = world::World::new(program, self.package.as_bytes(), index.into());
        Some(source::write(
            &world,
            &self.package,
            goal,
            self.level,
            sequence,
        ))
    }

    /// Calls in the test: what a reader counts.
    pub fn calls(&self) -> usize {
        self.sequence.as_ref().map_or(0, sequence::Sequence::calls)
    }
}
