//! The shrinking engine: less state, the same crash.
//!
//! A snapshot holds everything that its frames could reach, and few of it has to do with the crash. [`shrink`] takes
//! state away, and makes simpler what cannot go, as long as the crash stays what it was: the same exceptions, thrown at
//! the same place, as `recrash-judge` says. Data goes round in one circle: a snapshot, edits, trials in a warm worker
//! JVM, a verdict; what holds is the next snapshot.
//!
//! This crate may not know how a snapshot came about, how tests are written, or what a terminal is.
//!
//! Start reading at `shrink.rs`, then `phases.rs` (in which order), `scene.rs` (what could be simpler) and `oracle.rs`
//! (whether the crash stays). Which of it is tried together is `recrash-reduce`'s matter.
//!
//! Never uses: `println!`, `eprintln!`, `std::process::Command`, `capture`, `javagen`.

mod collection;
#[cfg(test)]
mod collection_tests;
mod collections;
mod error;
mod focus;
mod known;
mod oracle;
mod phases;
mod progress;
mod scene;
mod session;
mod shrink;
mod step;
mod store;
mod texts;

pub use error::{Error, Result};
pub use progress::Progress;
pub use shrink::{Frames, Left, Options, Shrinking, shrink};
