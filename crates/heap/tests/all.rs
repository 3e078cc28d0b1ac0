//! All integration tests of the crate in one program: linked once, and side by side.

// Functions that only tests call may fail like tests.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod carried;
mod cause;
mod edit;
mod hostile;
mod in_place;
mod model;
mod round_trip;
mod same_failure;
mod stand_for;
mod state;

mod support {
    pub mod jvm;
    pub mod manifest;
}
