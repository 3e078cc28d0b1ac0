//! The snapshot model and the `.recrash` file format.
//!
//! A snapshot is a [`Manifest`] (why it was taken, where, with which frames) and a [`Heap`] (the object graph once, as it
//! was at the failure), with the classes that no jar contains ([`CarriedClass`]). This crate reads and writes the file, gives random access to the objects, and turns one frame
//! into a *restore plan*: the bytes that the Java restorer executes in a test's JVM.
//!
//! When two failures are the same is told here, too (`fingerprint.rs`).
//!
//! It knows nothing about running JVMs, class files or Java source. It treats every byte as untrusted: a reader is
//! bounded by [`Limits`], and a [`Heap`] that exists has no dangling reference, no class out of range and no record
//! that ends outside it, so that access cannot fail.
//!
//! Start reading at `format.rs` (the layout of the heap part), then `heap.rs`, `snapshot.rs` and `plan.rs`. What changes
//! snapshots after the fact builds on `edit.rs`.
//!
//! Never uses: `std::process::Command`, `std::net`, `jvm`, `classfile`.

mod builder;
mod carried;
mod classes;
mod compact;
mod container;
mod crash;
mod edit;
mod entry;
mod error;
mod fingerprint;
mod format;
mod heap;
mod in_place;
mod look;
pub mod manifest;
mod object;
mod plan;
mod snapshot;

pub use recrash_application::{is_of_a_runtime, module_of};

pub use builder::{ClassSpec, HeapBuilder};
pub use carried::CarriedClass;
pub use classes::{Class, ClassKind, FieldInfo, LambdaInfo};
pub use container::Limits;
pub use crash::Crash;
pub use edit::{Edited, Edits, Part, Slot};
pub use entry::EntryState;
pub use error::Error;
pub use fingerprint::{Unwound, Way, fingerprint};
pub use format::{ClassIndex, StandInReason};
pub use heap::{Heap, class_table};
pub use in_place::{Contents, Form, LaidField};
pub use look::Entered;
pub use manifest::{Manifest, ObjectId, Value};
pub use object::{Field, Kind, Object, Text};
pub use plan::{ObjectSet, PlanOptions, needed, plan, plan_by};
pub use snapshot::{Snapshot, write_parts};
