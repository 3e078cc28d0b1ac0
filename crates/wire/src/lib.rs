//! What crosses a border between two processes or two languages: each format is declared here and nowhere else.
//!
//! A declaration gives the Rust side its types, readers and writers; build scripts write the Java side from the same
//! declaration ([`java`]) and compile it with the classes that use it. The crate knows bytes and names. It may not know
//! what they are for: no JVM, no snapshot, no command line.
//!
//! Start reading at [`record`] (how messages are declared and written), then [`worker`], [`compiler`] and [`synth`];
//! [`report`] is what the agent is told, [`frame`] the order of a frame's values, [`options`] and [`passed`] are text;
//! [`recording`] are the numbers in the log of a failing run; [`heap`] and [`plan`] are older, little-endian and read by
//! the restorer.
//!
//! Never uses: `std::fs`, `std::process::Command`, `std::net`.

#[macro_use]
mod constants;

pub mod codec;
pub mod compiler;
pub mod frame;
pub mod heap;
pub mod java;
pub mod options;
pub mod passed;
pub mod plan;
pub mod record;
pub mod recording;
pub mod report;
pub mod retrace;
pub mod synth;
pub mod worker;

pub use codec::{Malformed, Reader};
