//! Emits JUnit source for captured frames.
//!
//! From a snapshot and the frames that were judged worth a test, [`generate`] makes one Java class that a developer
//! can read, run, debug and commit. The same input gives the same bytes. This crate writes no files and starts no
//! JVM; what it must know about classes it asks a [`TypeOracle`] or reads in their code (`recrash-program`).
//!
//! Where all objects of a frame can be made by source, the test needs no snapshot ([`Form::Built`]). Otherwise a
//! frame is called by name with literals where the language allows it ([`Form::Plain`]); where it does not, or where
//! running the result showed that it must not be, the test loads everything and calls through `frame.invoke()`
//! ([`Form::Loaded`]).
//!
//! Start reading at `request.rs`, `test_class.rs` and `test_method.rs`, then `call.rs` (by name or not), `value.rs`
//! (literal or loaded) and `build/` (objects made by source).
//!
//! Never uses: `std::fs`, `std::process::Command`, `std::net`, `jvm`.

mod apart;
mod build;
mod built_method;
mod call;
mod comment;
mod descriptor;
mod facts;
mod flow;
mod header;
pub mod literal;
pub mod names;
mod oracle;
mod program_facts;
mod rank;
mod request;
mod scope;
mod test_class;
mod test_method;
mod value;
mod why;

pub use build::{Building, Classes, Helper, Helpers, Obstacle, Place, Style};
pub use comment::text as comment;
pub use descriptor::simple_name;
pub use oracle::{ClassFacts, Hierarchy, MethodFacts, Nesting, Remembered, TypeOracle};
pub use program_facts::ProgramFacts;
pub use rank::is_trivial;
pub use request::{Candidate, Form, JUnit, Options};
pub use scope::Scope;
pub use test_class::{TestClass, generate};
pub use test_method::TestMethod;

/// Why no source could be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("there is no frame to make a test of")]
    NoCandidates,
    #[error("`{0}` is not a package name; pass one like com.acme.crashes with --package")]
    BadPackage(String),
    #[error("the snapshot has no captured frame {0}")]
    NoSuchFrame(usize),
}
