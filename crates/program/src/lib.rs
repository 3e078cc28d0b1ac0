//! What the classes of a program do, found out without running them.
//!
//! This crate knows byte code: class path, hierarchy, control flow, SSA, call graph, effects. It may not know what anybody
//! wants to do with the answers, and it starts no JVM. Everything is computed when asked for; where code is missing
//! (native methods, reflection, unknown call sites) the answer is the safe one, and says so.
//!
//! Start reading at [`Program`] (the classes) and [`ClassPath`] (where they come from).

mod class;
mod class_path;
mod error;
mod hierarchy;
mod ids;
mod program;

pub use class::{Class, Field, Method};
pub use class_path::{ClassPath, Origin};
pub use error::{Error, Result};
pub use hierarchy::Hierarchy;
pub use ids::{ClassId, FieldId, MethodId, Selector, SelectorId};
pub use program::Program;
