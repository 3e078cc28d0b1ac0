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
//! Data flows one way: `find` (what a method does) → a [`Pass`] (what is wanted of it, as a [`Plan`]) → `emit` (the one place
//! where code is put together, for all passes at once). A pass of a new kind is a type in a file of its own, here or in
//! another crate, given to [`rewrite`].
//!
//! Start reading at `pass.rs` (the seam) and `rewrite.rs` (one class), then `record/recorder.rs` (the pass behind [`weave`]) with
//! `record/prologue.rs` and `record/handler.rs` (the code it adds), and `journal` (what it adds to writes). `border.rs` is the pass behind recordings.
//!
//! Never uses: `std::fs`, `std::process::Command`, `program`, `heap`.

// Some variants of `Error` own strings: making one in advance and dropping it unused was 12 % of the time spent weaving.
#![allow(clippy::unnecessary_lazy_evaluations)]

mod border;
mod call;
mod constants;
mod emit;
mod find;
mod journal;
mod offline;
mod pass;
mod plan;
mod policy;
mod reason;
mod record;
mod rewrite;
mod runtime;
mod site;
mod stand_in;

mod strategy;
mod tell;
mod weave;

pub use border::{
    Border, BorderDeed, BorderMember, BorderSite, MethodName, Role, border_references,
};
pub use call::{CallIn, Moment, Passed, Prepended, insert_calls, prepend_call};
pub use constants::Constants;
pub use find::jdk::{keeps_writes, writes_for_others};
pub use find::method::{Method, Methods};
pub use offline::{Adopted, Waking, adopt, adopt_loaded, class_hash};
pub use pass::Pass;
pub use plan::entry::OnEntry;
pub use plan::leap::Leaps;
pub use plan::{Piece, Plan};
pub use policy::{Offline, Policy, Watched, matches};
pub use reason::{Reason, SkipReason, Skipped};
pub use record::consumed::{no_sources as no_consumed_sources, sources as consumed_sources};
pub use rewrite::{Rewritten, rewrite};
pub use site::table::SiteTable;
pub use site::{FieldName, Owner, Parameter, Past, Place, SavedField, Site};

pub use stand_in::{OpenMethod, Template};
pub use strategy::{Copying, Strategy, UnknownStrategy};
pub use tell::Told;
pub use weave::{Woven, weave, weave_jdk, weave_with};
