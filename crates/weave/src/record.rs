//! Handlers that hand over what a method was given, and what has to be kept for them on entry.

mod choice;
pub(crate) mod consumed;
mod copy;
mod cursor;
mod far;
mod handler;
mod prologue;
pub(crate) mod recorder;
mod saved;
mod site;
mod value;
