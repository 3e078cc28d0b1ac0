//! Undo: methods note in the thread's journal what they overwrite, and frames remember how far it was on entry.

pub(crate) mod jdk;
pub(crate) mod mark;
mod note;
pub(crate) mod notes;
mod once;
pub(crate) mod write;
