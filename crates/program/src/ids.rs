//! Small names for large things. All are valid in the [`Program`](crate::Program) that gave them.

use std::sync::Arc;

/// A class by name, be it loaded, missing or an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(pub(crate) u32);

/// A name with a descriptor: what a call site asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SelectorId(pub(crate) u32);

/// A method where it is declared: the `index`-th in its class file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodId {
    pub class: ClassId,
    pub index: u16,
}

/// A field where it is declared: the `index`-th in its class file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldId {
    pub class: ClassId,
    pub index: u16,
}

/// What a [`SelectorId`] stands for, in the bytes of the class file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Selector {
    pub name: Arc<[u8]>,
    pub descriptor: Arc<[u8]>,
}
