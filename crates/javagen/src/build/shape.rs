//! One class as the planner sees it: its fields, and the constructors, setters and builders that were found in its code.

use super::stores::{Slot, Source};
use crate::descriptor;
use recrash_program::MethodId;
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// One class as the planner sees it.
pub(crate) struct Shape {
    pub(crate) access: u16,
    pub(crate) of_jdk: bool,
    pub(crate) superclass: Option<String>,
    pub(super) interfaces: Vec<String>,
    pub(crate) fields: Vec<FieldShape>,
    pub(super) methods: Vec<MethodShape>,
    pub(super) constructors: OnceCell<Vec<Constructor>>,
    pub(super) setters: OnceCell<Vec<Setter>>,
    pub(super) builders: OnceCell<Vec<Builder>>,
}

pub(super) struct MethodShape {
    pub(super) id: MethodId,
    pub(super) name: String,
    pub(super) descriptor: String,
    pub(super) access: u16,
    /// A static method that may make objects of its own class.
    pub(super) is_factory: bool,
}

pub(crate) struct FieldShape {
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) access: u16,
}

/// A constructor, or a static method that answers with a new object.
pub(crate) struct Constructor {
    /// The name of the static method.
    pub(crate) factory: Option<String>,
    pub(crate) descriptor: String,
    pub(crate) access: u16,
    pub(crate) stores: BTreeMap<Slot, Source>,
}

/// A method whose only effect is to put its one argument into a field.
pub(crate) struct Setter {
    pub(crate) name: String,
    pub(crate) access: u16,
    pub(crate) field: Slot,
}

/// One way to have a builder, and what to do with it.
pub(crate) struct Builder {
    pub(crate) start: Start,
    pub(crate) steps: Vec<Step>,
    pub(crate) finish: Member,
    /// What the object finished holds, by its fields.
    pub(crate) stores: BTreeMap<Slot, Source>,
}

/// A constructor of the builder, or a static method that answers with a new one.
#[derive(Clone)]
pub(crate) struct Start {
    pub(crate) owner: String,
    /// The static method.
    pub(crate) factory: Option<String>,
    pub(crate) descriptor: String,
    pub(crate) access: u16,
    /// The builder's type as source sees it.
    pub(crate) declared: String,
    /// Its class.
    pub(super) made: String,
    pub(crate) stores: BTreeMap<Slot, Source>,
}

/// A method that puts its one parameter into a field of the builder, or adds it to a collection there.
pub(crate) struct Step {
    pub(crate) method: Member,
    pub(crate) slot: Slot,
    pub(crate) adds: bool,
}

/// A method where source sees it.
pub(crate) struct Member {
    pub(crate) owner: String,
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) access: u16,
}

impl Member {
    /// The class that it answers with; `None` for primitives, arrays and nothing.
    pub(crate) fn result(&self) -> Option<String> {
        descriptor::result_class(&self.descriptor)
    }
}
