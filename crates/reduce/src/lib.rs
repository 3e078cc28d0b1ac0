//! The reducer: takes away what a trial does not need, with few trials.
//!
//! [`Subset`] finds out which of many items can go, in one of several [`Order`]s; [`Simplification`] makes one value lighter
//! step by step. A trial ends in one of three [`Outcome`]s, a [`Budget`] says how many trials there may be, and no trial is
//! made twice. Whoever can run several trials at a time is offered several: the answer is the same as with one.
//!
//! This crate knows numbers and answers. It may not know what an item is, how a trial is run, or that there is a JVM; it
//! depends on nothing.
//!
//! Start reading at `subset.rs` (one reduction), then `order.rs` (which groups are tried when) and `questions.rs` (cache,
//! repeats, budget). `needs.rs` lets items go together.
//!
//! Never uses: `std::fs`, `std::process::Command`, `heap`, `jvm`.

mod budget;
mod ddmin;
mod kept;
mod needs;
mod order;
mod outcome;
mod plan;
mod questions;
mod simplify;
mod subset;

pub use budget::{Budget, Ended};
pub use kept::Kept;
pub use needs::{Closure, Needs};
pub use order::Order;
pub use outcome::{Count, Outcome, Repeats};
pub use simplify::{Simpler, Simplification, Simplified};
pub use subset::{Candidate, Reduced, Subset};
