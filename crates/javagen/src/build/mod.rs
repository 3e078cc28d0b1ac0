//! Plain Java that makes the captured objects.
//!
//! A [`Planner`](planner::Planner) finds for each object a way to make it: a literal, a constant that a static field holds,
//! a collection filled element by element, a constructor completed by setters and fields, a builder, and as the last
//! resort an object without constructor whose fields are set by reflection. What a constructor or a builder does is read
//! from its code (`stores.rs`); that is a guess, so whoever generates a test with it has it run, and compares what it made
//! with the snapshot. Long values go into files (`by_file.rs`), static fields are set around the call (`statics.rs`).
//!
//! Start reading at `planner.rs`, then `objects.rs` (the program's classes) and `library.rs` (the JDK's).

mod agreement;
mod arrays;
mod builders;
mod by_builder;
mod by_file;
mod chance;
mod classes;
mod files;
mod helpers;
mod library;
mod locals;
mod made;
mod objects;
mod planner;
mod shape;
mod statics;
mod stores;
mod way;

pub use classes::Classes;
pub(crate) use files::Files;
pub use helpers::{Helper, Helpers};
pub(crate) use made::{Blocked, Known, Made, Plan, Result};
pub use made::{Obstacle, Place};
pub(crate) use planner::{Planner, World};
pub(crate) use statics::Assigned;

use recrash_heap::manifest::{ObjectId, Value};
use recrash_heap::{Kind, Snapshot};
use std::collections::{BTreeMap, BTreeSet};

/// How objects of the program's classes are preferably made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Style {
    /// As a person would: constructors, setters, visible fields.
    Constructors,
    /// Without running any code of theirs: exactly the captured fields.
    Fields,
}

/// What tests in plain Java are made with.
pub struct Building<'b> {
    pub classes: &'b Classes<'b>,
    /// A longer test loads its objects instead.
    pub most_lines: usize,
    /// By frame: state that the crash was shown not to need.
    pub left_out: BTreeMap<usize, BTreeSet<Place>>,
    /// By frame: static fields that the test sets, by their place in the manifest, and the thread's locals, which are counted
    /// behind them.
    pub statics: BTreeMap<usize, BTreeSet<usize>>,
    /// Frames whose objects were compared with the captured ones and are the same.
    pub proven: BTreeSet<usize>,
}

/// The objects of the program's classes that static final fields hold.
pub(crate) fn holders(
    snapshot: &Snapshot,
    classes: &Classes<'_>,
) -> BTreeMap<ObjectId, (String, String)> {
    let mut holders = BTreeMap::new();
    for field in snapshot
        .manifest
        .statics
        .iter()
        .filter(|field| field.is_final)
    {
        let Value::Ref(id) = field.value else {
            continue;
        };
        let object = snapshot.heap.object(id);
        let of_program = object.is_some_and(|object| {
            matches!(object.kind, Kind::Instance { .. } | Kind::Lambda { .. })
                && classes
                    .shape(object.class)
                    .is_none_or(|shape| !shape.of_jdk)
        });
        if of_program {
            let place = (field.class.clone(), field.field.clone());
            holders.entry(id).or_insert(place);
        }
    }
    holders
}
