//! Class files, versions 45 to 69: read, patch, write back without loss; jars and the JDK's image.
//!
//! Reading is lazy and copies nothing: [`ClassFile::read`] finds out where things are, the rest is decoded when asked for.
//! Writing is patching: [`CodePatch`] changes one method's code, [`ClassPatch`] puts the changed methods and the new
//! constants into a copy of the file; all other bytes stay as they are.
//!
//! What this crate may not know: what anybody patches classes for, the JVM, the class hierarchy (it never needs a second
//! class to understand one).
//!
//! Start reading at `class.rs` and `code.rs` (the views), then `patch.rs` and `relocate.rs` (the changes).
//!
//! Never uses: `std::process::Command`, `std::net`, `program`.

// Some variants of `Error` own strings: making one in advance and dropping it unused was 12 % of the time spent weaving.
#![allow(clippy::unnecessary_lazy_evaluations)]

mod annotations;
mod archive;
mod assembler;
mod attribute;
mod bytes;
mod class;
mod code;
mod constant;
mod descriptor;
mod error;
mod jar;
mod jimage;
mod made;
mod manifest;
mod names;
pub mod opcode;
mod patch;
mod pool;
mod relocate;
mod stackmap;
mod tables;

pub use annotations::Component;
pub use archive::Archive;
pub use assembler::{Assembler, Jump};
pub use attribute::{Attribute, Attributes};
pub use class::{ClassFile, Member, dotted, is_of_jdk};
pub use code::{Code, Handler, Instruction, Instructions, Targets};
pub use constant::{Bootstrap, Constant, Dynamic, MethodHandle};
pub use descriptor::{Kind, MethodType, Parameters, Type, initial_locals, slots_of};
pub use error::Error;
pub use jar::{Budget, JarEntry, entry_names, read_classes, read_entries, read_entry};
pub use jimage::JImage;
pub use made::{MadeClass, MadeMethod, empty_pool};
pub use manifest::{Manifest, release_of};
pub use names::{LocalVariable, local_variables_from, method_parameters};
pub use patch::{Catch, ClassPatch, CodePatch, Entry, Position};
pub use pool::{ConstantPool, MemberRef, PoolAppender, PoolMark, modified, text};
pub use relocate::Insertion;
pub use stackmap::{Frame, Frames, Outline, VerificationType, encode as encode_frames};

/// Access flags (JVMS 4.1, 4.5, 4.6) that recrash asks for.
pub mod access {
    pub const PUBLIC: u16 = 0x0001;
    pub const PRIVATE: u16 = 0x0002;
    pub const PROTECTED: u16 = 0x0004;
    pub const STATIC: u16 = 0x0008;
    pub const FINAL: u16 = 0x0010;
    pub const BRIDGE: u16 = 0x0040;
    pub const NATIVE: u16 = 0x0100;
    pub const INTERFACE: u16 = 0x0200;
    pub const ABSTRACT: u16 = 0x0400;
    pub const SYNTHETIC: u16 = 0x1000;
}
