//! The watch list of second chance: a text file that names the methods to watch, one per line.
//!
//! Several processes share one file: programs that fail add to it, people edit it, running programs follow it. This crate
//! knows the format and how to change the file without losing anybody's line. It may not know JVMs, class files or
//! command lines.
//!
//! Start reading at `line.rs` (what a line says), then `file.rs` (reading and changing the file).
//!
//! Never uses: `std::process::Command`, `std::net`, `classfile`, `jvm`.

mod file;
mod line;

pub use file::{Error, Stamp, WatchFile, WatchList};
pub use line::{Defect, Malformed, Method};
