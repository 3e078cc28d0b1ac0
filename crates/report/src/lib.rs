//! Shows a snapshot as text and JSON, and verdicts as a table.
//!
//! This crate decides how a captured value *reads*: a `HashMap` is its entries, not its table of nodes. It knows the
//! snapshot model and nothing else: no terminal, no files, no JVM. Whoever prints passes a [`Style`].
//! Everything in a snapshot is a stranger's text, so all of it is escaped on the way out ([`printable`]).
//!
//! Start reading at `view.rs` (one object, made readable), then `tree.rs` and `show.rs`.

mod describe;
mod graph;
mod json;
mod show;
mod style;
mod table;
mod tree;
mod view;

pub use describe::{class_name, describe, describe_object};
pub use graph::Graph;
pub use json::{JSON_SCHEMA_VERSION, json};
pub use show::{ShowOptions, show};
pub use style::{Style, printable};
pub use table::{Row, Standing, table};
pub use view::{View, view};
