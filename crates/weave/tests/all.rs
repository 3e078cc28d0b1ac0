//! All integration tests of the crate in one program: linked once, and side by side.

// Functions that only tests call may fail like tests.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod behaviour;
mod callees;
mod hostile;
mod jvm;
mod limits;
mod offline;
mod passes;
mod prepend;
mod real_programs;
mod ristretto;
mod round_trip;
mod small_main;
mod support;
mod type_annotations;
mod undo;
