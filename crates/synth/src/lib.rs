//! From a stack trace alone to a test that crashes in the same place.
//!
//! [`Goal::of`] looks every frame up in the class path; a class path that does not fit is told apart from a search that
//! fails. [`attempt`] takes a trace from there to a test: straight-line programs are grown, run in a JVM of their own, and
//! those that came nearest are changed; what is found is reduced, written as a JUnit test, and believed if JUnit agrees.
//!
//! Data flows one way: `fit` (the goal) → `world`, `entries`, `seeds` (what there is to call and to pass) → `grow` (programs)
//! → `runner` (the JVM), `probes`, `score` (how near it came) → `search` → `reduce` → `source`.
//!
//! Never uses: `println!`, `eprintln!`, `std::net`, `capture`.

mod attempt;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod compiled;
mod conditions;
mod constants;
mod entries;
mod entry;
mod error;
mod experience;
mod fit;
mod found;
mod given;
mod grow;
mod hunt;
mod index;
mod jdk;
mod lambda;
mod missing;
mod options;
mod plan;
mod pom;
mod probes;
mod random;
mod reduce;
mod relevance;
mod runner;
mod score;
mod search;
mod seeds;
mod sequence;
mod setters;
mod source;
mod stand_in;
mod summaries;
mod summary;
mod unfit;
mod verdict;
mod world;

pub use attempt::{Attempt, Level, LevelVerdict, Setting, attempt};
pub use conditions::{solver_problem, target};
pub use error::{Error, Result};
pub use fit::{Fit, Goal, GoalFrame, Misfit, Place};
pub use given::Given;
pub use pom::{Dependency, dependencies};
pub use summaries::Summaries;
pub use verdict::Verdict;
