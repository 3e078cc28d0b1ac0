//! What a method writes, and where the objects come from that it writes to.

use recrash_classfile::MemberRef;

use crate::find::method::{Method, is_own};

/// What a stack slot holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    Other,
    /// The value an input had on entry (index into `Method::inputs`).
    Input(u16),
    /// Made by the method itself, in this very call; only `trace_stores` tells.
    Fresh,
}

impl Origin {
    /// The input whose field is written; `None` for objects that are none, as far as anyone can tell.
    pub(crate) fn input_of(self, method: &Method<'_>, field: &MemberRef<'_>) -> Option<u16> {
        match self {
            Origin::Input(input) => Some(input),
            // An unknown object of our own class may well be the receiver.
            Origin::Other => (method.has_receiver && is_own(method.class, field)).then_some(0),
            Origin::Fresh => None,
        }
    }
}

/// A `putfield`, `putstatic`, store into an array, or `System.arraycopy`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Store {
    pub(crate) pc: usize,
    pub(crate) opcode: u8,
    /// The Fieldref, of a field.
    pub(crate) index: u16,
    /// Whose field it is, or where the array comes from.
    pub(crate) origin: Origin,
}

/// What the pass saw.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    /// Every `putfield`, each pair of origin and field once, at its first place.
    pub(crate) writes: Vec<Write>,
    /// Calls of methods of the same class that are given inputs.
    pub(crate) calls: Vec<OwnCall>,
    /// Constructor calls on input 0: `super(...)` and `this(...)`.
    pub(crate) super_calls: Vec<usize>,
    /// The last instruction that can throw, `this.field` not counted.
    pub(crate) last_throw: usize,
    /// Branches backwards: from where, to where.
    pub(crate) loops: Vec<(usize, usize)>,
    /// Everything before it comes on every entry; only `trace` tells.
    pub(crate) first_branch: Option<usize>,
}

/// A write to a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Write {
    /// Whose field it is.
    pub(crate) origin: Origin,
    /// The Fieldref.
    pub(crate) index: u16,
    pc: usize,
}

impl Write {
    pub(crate) fn new(origin: Origin, index: u16, pc: usize) -> Self {
        Write { origin, index, pc }
    }

    pub(crate) fn is_same_place(&self, other: &Self) -> bool {
        self.origin == other.origin && self.index == other.index
    }
}

/// A call of a method of the same class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OwnCall {
    /// The Methodref.
    pub(crate) index: u16,
    pub(crate) pc: usize,
    /// Inputs of the callee, and those of the caller that they are given.
    pub(crate) passed: Vec<(u16, u16)>,
}

impl Origins {
    /// Whether anything can be thrown once the field is written: if not, no handler ever sees the new value.
    pub(crate) fn may_throw_after(&self, write: &Write) -> bool {
        let around = |&(from, to): &(usize, usize)| {
            from > write.pc && to <= write.pc && self.last_throw >= to
        };
        self.last_throw > write.pc || self.loops.iter().any(around)
    }

    /// Whether the code gets there on every entry that does not fail before.
    pub(crate) fn surely_comes(&self, write: &Write) -> bool {
        self.first_branch.is_none_or(|branch| write.pc < branch)
    }

    /// A field access throws when the object is null, which the receiver never is.
    pub(crate) fn note_throw(&mut self, pc: usize, object: Origin, method: &Method<'_>) {
        if !(method.has_receiver && object == Origin::Input(0)) {
            self.last_throw = pc;
        }
    }
}
