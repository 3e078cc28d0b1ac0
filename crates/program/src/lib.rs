//! What the classes of a program do, found out without running them.
//!
//! This crate knows byte code: class path, hierarchy, control flow, SSA, call graph, effects. It may not know what anybody
//! wants to do with the answers, and it starts no JVM. Everything is computed when asked for; where code is missing
//! (native methods, reflection, unknown call sites) the answer is the safe one, and says so.
//!
//! Start reading at [`ClassPath`] (where classes come from) and [`Program`] (the classes). [`Ssa`] is one method,
//! [`CallGraph`] all that are reachable, [`Effects`] what they change; [`Cache`] keeps effects, and what others find out, on disk.
//!
//! Never uses: `std::process::Command`, `std::net`, `heap`, `jvm`.

mod advice;
mod body;
mod cache;
mod call_graph;
mod cfg;
mod class;
mod class_path;
mod effects;
mod error;
mod graph;
mod hierarchy;
mod ids;
mod program;
mod slots;
mod ssa;

pub use cache::{Analysis, Cache, Kind};
pub use call_graph::{CallGraph, Callable, NodeId, Precision};
pub use cfg::{Block, BlockId, Catch, Cfg, Edge, may_throw};
pub use class::{Class, Field, Method};
pub use class_path::{ClassPath, Origin};
pub use effects::{AccessPath, Effects, MethodName, SlotName, View};
pub use error::{Error, Result};
pub use graph::{ControlDependence, Dominators, Graph};
pub use hierarchy::Hierarchy;
pub use ids::{ClassId, FieldId, MethodId, Selector, SelectorId};
pub use program::Program;
pub use slots::{Slot, SlotId, SlotSet, Slots};
pub use ssa::{
    CallSite, Constant, ElementKind, End, Handle, HandleKind, InvokeKind, MemberRef, Op, Ssa,
    SsaBlock, Type, Value, ValueId,
};
