//! Decides whether what happened is the crash that was recorded.
//!
//! Pure: no JVM, no file, no clock. What was recorded is a snapshot's manifest, what happened is the [`Outcome`] that a
//! worker JVM or JUnit reports. This crate may not know how either came about.
//!
//! Start reading at [`Sameness`], which says what has to be alike, then `judge.rs` (types and place of the throw) and
//! `location.rs` (when two places are the same).
//!
//! [`Outcome`]: recrash_jvm::Outcome
//!
//! Never uses: `std::fs`, `std::process::Command`, `std::time`, `std::net`.

mod judge;
#[cfg(test)]
mod judge_tests;
mod levels;
mod location;
mod sameness;
mod verdict;

pub use judge::Expected;
pub use levels::agreeing_levels;
pub use location::{glob, is_numbered, same_class};
pub use sameness::{Sameness, Words};
pub use verdict::Verdict;
