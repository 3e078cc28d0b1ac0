//! Offline instrumentation: a jar, WAR or folder in, the same program with recrash inside out.
//!
//! [`instrument`] weaves every class with sleeping handlers (see `recrash_weave::adopt`), puts the agent library and the
//! class that loads it beside the class the program starts with, and makes that one call it first. The result needs
//! nothing of recrash on the machine it runs on. This crate knows archives and where programs start in them; it knows
//! no JVM and prints nothing.
//!
//! Start reading at `instrument.rs` (the steps), then `starters.rs` (where a program starts).
//!
//! Never uses: `println!`, `eprintln!`, `std::process::Command`, `jvm`, `heap`.

mod archive;
mod error;
mod instrument;
mod manifest;
mod starters;
mod template;
mod weaving;

pub use error::{Error, Result};
pub use instrument::{Instrumented, Options, instrument};
