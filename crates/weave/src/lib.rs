//! Adds unwind capture to class files, in place.
//!
//! [`weave`] takes the bytes of one class and gives every monitored method a catch-all handler that hands the throwable,
//! a site id and the values the method had on entry to `java.lang.$Recrash`, then rethrows. Nothing is paid until an
//! exception passes. What the numbers mean stands in the [`Site`]s that come back with the bytes.
//!
//! What this crate may not know: the JVM it runs in, class loaders, other classes (it never asks for the hierarchy),
//! files. It is a function from bytes to bytes; on any doubt the class, or the single method, stays as it is and a
//! [`Reason`] or [`SkipReason`] says why.
//!
//! Start reading at `weave.rs` (which methods) and `monitor.rs` (one method), then `prologue.rs` and `handler.rs` (the code
//! that is added).
//!
//! Never uses: `std::fs`, `std::process::Command`, `program`, `heap`.

// Some variants of `Error` own strings: making one in advance and dropping it unused was 12 % of the time spent weaving.
#![allow(clippy::unnecessary_lazy_evaluations)]

mod callees;
mod constructor;
mod consumed;
mod copy;
mod cursor;
mod effect;
mod far;
mod flow;
mod handler;
mod jdk;
mod journal;
mod mark;
mod method;
mod monitor;
mod names;
mod offline;
mod once;
mod origin;
mod packed;
mod policy;
mod prologue;
mod runtime;
mod saved;
mod scan;
mod site;
mod strategy;
mod table;
mod weave;

pub use consumed::{no_sources as no_consumed_sources, sources as consumed_sources};
pub use jdk::{keeps_writes, writes_for_others};
pub use offline::{Adopted, Waking, adopt, adopt_loaded, class_hash};
pub use policy::{Offline, Policy, Watched, matches};
pub use site::{
    FieldName, Owner, Parameter, Past, Place, Reason, SavedField, Site, SkipReason, Skipped, Woven,
};
pub use strategy::{Copying, Strategy, UnknownStrategy};
pub use table::SiteTable;
pub use weave::{Passed, Prepended, prepend_call, weave, weave_jdk};
