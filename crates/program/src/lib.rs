//! What the classes of a program do, found out without running them.
//!
//! This crate knows byte code: class path, hierarchy, control flow, SSA, call graph, effects. It may not know what anybody
//! wants to do with the answers, and it starts no JVM. Everything is computed when asked for; where code is missing
//! (native methods, reflection, unknown call sites) the answer is the safe one, and says so.
//!
//! Start reading at [`Program`] (the classes) and [`ClassPath`] (where they come from).

mod cfg;
mod class;
mod class_path;
mod error;
mod graph;
mod hierarchy;
mod ids;
mod program;
mod ssa;

pub use cfg::{Block, BlockId, Catch, Cfg, Edge, may_throw};
pub use class::{Class, Field, Method};
pub use class_path::{ClassPath, Origin};
pub use error::{Error, Result};
pub use graph::{ControlDependence, Dominators, Graph};
pub use hierarchy::Hierarchy;
pub use ids::{ClassId, FieldId, MethodId, Selector, SelectorId};
pub use program::Program;
pub use ssa::{
    CallSite, Constant, End, Handle, HandleKind, InvokeKind, MemberRef, Op, Ssa, SsaBlock, Type,
    Value, ValueId,
};
