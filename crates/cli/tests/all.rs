//! All integration tests of the crate in one program: linked once, and side by side.

// Functions that only tests call may fail like tests.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;
mod docs;
mod ecosystem;
mod embedded;
mod examples;
mod minimize;
mod privacy;
mod second_chance;
mod shrink;
mod synth;
mod trouble;
