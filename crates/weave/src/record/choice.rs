//! What a method keeps on entry, as it was chosen.

use recrash_advice::Step;
use recrash_classfile::{Kind, MemberRef, Type};

use crate::runtime::Cursor;

/// What is kept on entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Choice<'a> {
    pub(crate) fields: Vec<Saved<'a>>,
    /// They follow the fields.
    pub(crate) cursors: Vec<Followed>,
    /// It follows them.
    pub(crate) far: Far,
    /// What is kept with its fields, all of it together, behind everything else.
    pub(crate) consumed: Vec<Holder>,
}

/// What refers to an object that something is kept of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holder {
    /// Index into `Method::inputs`.
    Input(u16),
    /// Counts what is kept, in the order of [`Choice`].
    Kept(u16),
}

/// A field to be loaded on entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Saved<'a> {
    /// Index into `Method::inputs`.
    pub(crate) input: u16,
    /// The Fieldref in the class's own pool.
    pub(crate) index: u16,
    pub(crate) field: MemberRef<'a>,
    /// The class itself declares it and the object is the receiver: loading it cannot fail.
    pub(crate) certain: bool,
}

impl Saved<'_> {
    pub(crate) fn kind(&self) -> Kind {
        Type {
            descriptor: self.field.descriptor,
        }
        .kind()
    }
}

/// A cursor whose place on entry is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Followed {
    pub(crate) of: Holder,
    pub(crate) cursor: Cursor,
}

/// What the place of a cursor is kept as.
pub(crate) const CURSOR: Kind = Kind::Long;

/// Fields farther away that are kept: references to the objects on the way, then the fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Far {
    pub(crate) holders: Vec<Read>,
    pub(crate) fields: Vec<Read>,
}

/// A field that is read on entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Read {
    pub(crate) of: Holder,
    /// See `SiteTable::add_field`.
    pub(crate) number: u32,
    pub(crate) step: Step,
}

impl Read {
    /// As code would name it.
    pub(crate) fn member(&self) -> MemberRef<'_> {
        let Step {
            class,
            name,
            descriptor,
        } = &self.step;
        MemberRef {
            class: class.as_bytes(),
            name: name.as_bytes(),
            descriptor: descriptor.as_bytes(),
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        let descriptor = self.member().descriptor;
        Type { descriptor }.kind()
    }
}
