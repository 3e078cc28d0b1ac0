//! All integration tests of the crate in one program: linked once, and side by side.

// Functions that only tests call may fail like tests.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod captures;
mod neighbours;
mod recordings;
mod strategies;
mod swallowed;
mod trouble;
mod undo;
mod world;
