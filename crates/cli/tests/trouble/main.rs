//! What goes wrong outside recrash gets one clear line, a documented exit status and nothing half-written; and the
//! program under `recrash run` never notices. Every test runs the real binary.

// Helpers of a test may fail loudly; clippy's own exemption covers only the tests themselves.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod analyze;
mod child;
mod class_path;
mod command_line;
#[path = "../common/mod.rs"]
mod common;
mod disk;
mod jdk;
mod snapshot_file;
mod support;
mod watch_list;
