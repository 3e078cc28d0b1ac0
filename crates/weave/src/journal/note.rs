//! Notes of what a method overwrites, and where they stand.

/// What is noted in front of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Note {
    /// A field of the receiver, which is never null.
    Own(u16),
    /// A static field of the class itself, which is initialised.
    OwnStatic(u16),
    Static(u16),
    Field(u16),
    /// By the instruction that stores it.
    Element(u8),
}

impl Note {
    /// Whether the note means the same place wherever it stands in the method.
    pub(crate) fn stays(self) -> bool {
        matches!(self, Note::Own(_) | Note::OwnStatic(_))
    }
}

/// Notes by the pc they stand before.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Sparse {
    pub(crate) on_entry: Vec<Note>,
    /// In front of loops: what jumps back does not pass them.
    pub(crate) before_loops: Vec<(usize, Note)>,
    pub(crate) at_writes: Vec<(usize, Note)>,
}

impl Sparse {
    pub(crate) fn len(&self) -> usize {
        self.on_entry.len() + self.before_loops.len() + self.at_writes.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
