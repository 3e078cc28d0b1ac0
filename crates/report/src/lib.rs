//! Shows a snapshot as text, as JSON and as a page, verdicts as a table, and both as what CI servers read.
//!
//! This crate decides how a captured value *reads*: a `HashMap` is its entries, not its table of nodes. It knows the
//! snapshot model and nothing else: no terminal, no JVM, and no files but the program's sources (`sources.rs`). Whoever
//! prints passes a [`Style`], and what lies beside the snapshot as [`Findings`].
//! Everything in a snapshot is a stranger's text, so all of it is escaped on the way out ([`printable`]).
//!
//! Start reading at `view.rs` (one object, made readable), then `describe.rs`, `tree.rs` and `show.rs`; the page begins in
//! `page/mod.rs`, what is for CI servers in `crash.rs`.
//!
//! Never uses: `println!`, `std::process::Command`, `std::net`, `jvm`, `classfile`.

mod big_number;
mod class_name;
mod crash;
mod describe;
mod error;
mod fields;
mod findings;
mod frame;
mod github;
mod graph;
mod json;
mod junit_xml;
mod literal;
mod page;
mod path;
mod recording;
mod redactions;
mod sarif;
mod show;
mod sources;
mod style;
mod table;
mod tree;
mod view;
mod wording;

pub use class_name::class_name;
pub use crash::Crash;
pub use describe::{describe, describe_object};
pub use error::Error;
pub use findings::{Findings, TestSource};
pub use github::github;
pub use graph::Graph;
pub use json::{JSON_SCHEMA_VERSION, json};
pub use junit_xml::junit_xml;
pub use page::page;
pub use recording::{recording, recording_json};
pub use redactions::redactions;
pub use sarif::sarif;
pub use show::{ShowOptions, show};
pub use sources::{Excerpt, check_sources, excerpts};
pub use style::{Style, printable};
pub use table::{Row, Standing, table};
pub use view::{View, view};
