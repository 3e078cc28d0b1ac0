//! What must not leave the program: rules, and their application to a snapshot before anything reaches the disk.
//!
//! [`Rules`] say what is sensitive: by the name of a field, variable, key or property, by annotation, type or package, and by
//! what a text looks like. A [`Redactor`] applies them to the two parts of a snapshot in memory. Every redaction keeps the
//! length of what it replaces, so that no record moves, and leaves a remark in the manifest. What was redacted once is
//! then searched everywhere else: copies of a secret go with it.
//!
//! This crate runs nothing, and reads no files but the classes of a class path it is pointed to ([`Notes`]): annotations
//! and the names of what lambdas captured.
//!
//! Start reading at `rules.rs` (the file format) and `defaults.rs` (what counts without one), then `redactor.rs` (the order
//! of the passes), `treatment.rs` (what becomes of a value), `descent.rs` (names, types, annotations), `patterns.rs` (values)
//! and `copies.rs` (the search).
//!
//! Never uses: `std::fs`, `std::process::Command`, `std::net`, `jvm`.

mod check_digits;
mod classes;
mod copies;
mod credential;
mod defaults;
mod descent;
mod error;
mod hash_tables;
mod manifest_text;
mod name;
mod notes;
mod number;
mod patterns;
mod redactor;
mod remarks;
mod replacement;
mod rules;
mod sweep;
mod text;
mod treatment;
mod unreachable;
mod value_rule;

pub use error::Error;
pub use notes::{ClassNotes, Notes, ProgramNotes};
pub use redactor::{Outcome, Redactor, Secret};
pub use replacement::Shape;
pub use rules::Rules;
