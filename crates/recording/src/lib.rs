//! The log of a failing run: what crossed the border between the outside of a program and its inside.
//!
//! *Outside* is the code that drives: the main class or the test, and the JDK. *Inside* is everything else. A [`Recording`]
//! holds the calls that outside code made on the inside, with their arguments and what came of them, the calls the inside
//! made back, and what it asked the environment. `docs/recording.md` describes the file, and the rules by which something is
//! an event.
//!
//! The crate knows bytes and tables. It may not know what a recording is for: no JVM, no replay, no command line.
//!
//! Start reading at `model.rs` (the tables and events), then `read.rs` (the file, which may be hostile). [`write`] makes files
//! for tests and reduced recordings; those of a run are written by the recorder, piece by piece (`append.rs`).
//!
//! Never uses: `std::process::Command`, `std::net`, `println!`.

mod append;
mod cursor;
mod decode;
mod encode;
mod error;
mod ids;
mod model;
mod read;
mod value;
mod write;

pub use append::{CodeTables, Named, beginning, chunk, with_texts};
pub use error::{Error, Result};
pub use ids::{EventId, FieldId, MethodId, ObjectId, SiteId, TextId, TypeId};
pub use model::{
    Answer, Call, Callback, Element, End, Event, EventKind, Failure, Field, FieldAccess, Flags,
    Method, Object, ObjectKind, Operation, Recording, Side, Site, Target, Thread, Type,
};
pub use read::{Limits, read, read_file};
pub use value::{Content, Frame, Lambda, Numbers, Primitive, Text, Value};
pub use write::write;
