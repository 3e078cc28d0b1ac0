//! The capture engine: runs a program with the agent inside, then turns its snapshots into verified tests.
//!
//! [`run`] starts any command that ends up starting a JVM and passes streams, signals and exit status through;
//! [`tests`] takes a snapshot and makes a folder of JUnit tests whose verdicts were really obtained; [`redact`] takes
//! private data out of one and finds out what still reproduces. They tell a
//! [`Listener`] what happens and print nothing themselves. This crate knows nothing of argument parsing, terminals
//! or other engines.
//!
//! Start reading at `run.rs` (the child), then `tests.rs` (the way from a snapshot to a folder).
//!
//! Never uses: `println!`, `eprintln!`, `std::net`, `shrink`, `synth`, `offline`.

mod bench;
mod child;
mod error;
mod folder;
mod hints;
mod messages;
mod options;
mod oracle;
mod redact;
mod run;
mod signals;
mod source_alone;
mod stored;
mod tests;
mod verdicts;
mod watch;

pub use child::Ending;
pub use error::{Error, Result};
pub use options::TestsOptions;
pub use redact::{LostFrame, RedactOptions, Redacted, redact};
pub use run::{Ran, RunOptions, run};
pub use stored::StoredTests;
pub use tests::{Made, tests, tools};
pub use verdicts::{FrameReport, Verdicts};
pub use watch::methods_of_trace;

/// Hears what happens. Lines are for the user to keep, progress only matters while it lasts.
pub trait Listener: Sync {
    /// One line of recrash's own, without the `recrash: ` in front.
    fn line(&self, text: &str);
    /// What is going on right now.
    fn progress(&self, text: &str);
}
