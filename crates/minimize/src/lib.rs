//! From one long failing run to a few calls that fail the same way.
//!
//! The driver, which is a program's main class, calls everything else; a failure needs only some of these calls. The
//! driver is run step by step, which tells every call with its arguments; the calls that have to do with the failing one are
//! played again, thousands of times, with more and more of them left out; and those that are left are written as a JUnit
//! test, which is compiled and run before anybody is told of it.
//!
//! Where the driver itself throws because a value is wrong, calls alone do not tell what would be right. There rounds of
//! the driver's loops are left out, and it keeps its own books.
//!
//! Start reading at `attempt.rs`, then `script.rs` (events and what they use) and `cut.rs` (what can go).
//!
//! Never uses: `println!`, `eprintln!`, `std::net`, `capture`, `synth`, `shrink`.

mod attempt;
mod cut;
mod error;
mod failure;
mod player;
mod polish;
mod rounds;
mod script;
mod simpler;
mod source;
mod verdict;

pub use attempt::{Minimized, Setting, Verdict, minimize};
pub use error::{Error, Result};
pub use player::PlayerOptions;
