//! One method in static single assignment form: every value has one place that makes it, and a type.

mod build;
mod check;
mod dynamic;
mod liveness;
mod phis;
mod translate;

use std::sync::Arc;

use recrash_classfile::ClassFile;

use crate::cfg::{BlockId, Edge};
use crate::error::Result;
use crate::ids::{ClassId, MethodId, SelectorId};
use crate::program::Program;

pub use dynamic::{CallSite, Handle, HandleKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(pub u32);

/// A method's values and blocks. Blocks and their numbers are those of the [`Cfg`](crate::Cfg).
#[derive(Debug, Clone)]
pub struct Ssa {
    pub values: Vec<Value>,
    pub blocks: Vec<SsaBlock>,
}

#[derive(Debug, Clone)]
pub struct SsaBlock {
    /// Operands are in the order of `predecessors`.
    pub phis: Vec<ValueId>,
    /// What runs in order; some of it makes no value that anybody could use.
    pub instructions: Vec<ValueId>,
    pub end: End,
    pub successors: Vec<BlockId>,
    /// Where exceptions go, and which; `None` catches everything.
    pub handlers: Vec<(BlockId, Option<ClassId>)>,
    pub predecessors: Vec<Edge>,
}

#[derive(Debug, Clone)]
pub struct Value {
    pub op: Op,
    pub ty: Type,
    pub block: BlockId,
    pub pc: u16,
}

/// What the verifier would say a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    Void,
    /// boolean, byte, char, short, int
    Int,
    Long,
    Float,
    Double,
    Null,
    Reference(ClassId),
    /// Where a subroutine goes back to.
    ReturnAddress,
    /// Values of different kinds meet: nothing can use the result.
    Conflict,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MemberRef {
    pub class: ClassId,
    pub selector: SelectorId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InvokeKind {
    Virtual,
    Interface,
    Special,
    Static,
}

/// What an array instruction says of the array, in the order of its opcodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ElementKind {
    Int,
    Long,
    Float,
    Double,
    Reference,
    /// byte and boolean
    Byte,
    Char,
    Short,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Constant {
    Null,
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    /// Modified UTF-8.
    String(Arc<[u8]>),
    Class(ClassId),
    /// A method handle or method type.
    Method,
    /// Made by a bootstrap method.
    Dynamic,
    ReturnAddress,
}

#[derive(Debug, Clone)]
pub enum Op {
    /// Counted from 0, the receiver included.
    Parameter(u16),
    /// The exception a handler starts with.
    Caught,
    Phi(Vec<ValueId>),
    Constant(Constant),
    /// Arithmetic, comparison, conversion, by its opcode.
    Arithmetic {
        opcode: u8,
        left: ValueId,
        right: Option<ValueId>,
    },
    GetField {
        field: MemberRef,
        object: ValueId,
    },
    PutField {
        field: MemberRef,
        object: ValueId,
        value: ValueId,
    },
    GetStatic {
        field: MemberRef,
    },
    PutStatic {
        field: MemberRef,
        value: ValueId,
    },
    ArrayLoad {
        kind: ElementKind,
        array: ValueId,
        index: ValueId,
    },
    ArrayStore {
        kind: ElementKind,
        array: ValueId,
        index: ValueId,
        value: ValueId,
    },
    ArrayLength(ValueId),
    New(ClassId),
    /// The class is that of the array.
    NewArray {
        class: ClassId,
        lengths: Vec<ValueId>,
    },
    Cast {
        class: ClassId,
        value: ValueId,
    },
    InstanceOf {
        class: ClassId,
        value: ValueId,
    },
    Monitor {
        value: ValueId,
        enter: bool,
    },
    Invoke {
        kind: InvokeKind,
        method: MemberRef,
        arguments: Vec<ValueId>,
    },
    InvokeDynamic {
        site: CallSite,
        arguments: Vec<ValueId>,
    },
}

/// How a block goes on; where to is in its successors.
#[derive(Debug, Clone)]
pub enum End {
    Jump,
    /// To the first successor if the comparison of the opcode holds, else to the second.
    If {
        opcode: u8,
        left: ValueId,
        right: Option<ValueId>,
    },
    /// To the first successor unless a key matches; keys are in the order of the other successors.
    Switch {
        key: ValueId,
        keys: Vec<i32>,
    },
    Return(Option<ValueId>),
    Throw(ValueId),
}

impl Ssa {
    /// The SSA form of a method; `None` if it has no code.
    pub fn of(program: &Program, method: MethodId) -> Result<Option<Ssa>> {
        let Some(class) = program.class(method.class) else {
            return Ok(None);
        };
        Ssa::of_file(program, &class.file()?, method)
    }

    /// The same for a caller that has the class file at hand.
    pub fn of_file(
        program: &Program,
        file: &ClassFile<'_>,
        method: MethodId,
    ) -> Result<Option<Ssa>> {
        build::build(program, file, method)
    }

    pub fn value(&self, id: ValueId) -> Option<&Value> {
        self.values.get(id.0 as usize)
    }

    pub fn block(&self, id: BlockId) -> Option<&SsaBlock> {
        self.blocks.get(id.0 as usize)
    }

    /// What is wrong with this form; empty for code that the JVM accepts.
    pub fn defects(&self, program: &Program) -> Vec<String> {
        check::defects(self, program)
    }
}

impl Type {
    pub fn is_wide(self) -> bool {
        matches!(self, Type::Long | Type::Double)
    }

    pub fn is_reference(self) -> bool {
        matches!(self, Type::Reference(_) | Type::Null)
    }

    /// The type a descriptor names.
    pub fn of(program: &Program, descriptor: &[u8]) -> Type {
        match descriptor {
            [b'V', ..] => Type::Void,
            [b'J', ..] => Type::Long,
            [b'F', ..] => Type::Float,
            [b'D', ..] => Type::Double,
            [b'L', name @ .., b';'] => Type::Reference(program.class_id(name)),
            [b'[', ..] => Type::Reference(program.class_id(descriptor)),
            _ => Type::Int,
        }
    }
}

impl ElementKind {
    /// Of the `number`-th array load or store.
    pub(crate) fn of(number: u8) -> ElementKind {
        match number {
            0 => ElementKind::Int,
            1 => ElementKind::Long,
            2 => ElementKind::Float,
            3 => ElementKind::Double,
            4 => ElementKind::Reference,
            5 => ElementKind::Byte,
            6 => ElementKind::Char,
            _ => ElementKind::Short,
        }
    }
}

impl Op {
    pub fn operands(&self) -> Vec<ValueId> {
        let mut operands = Vec::new();
        // One list of what an operation uses serves both reading and replacing.
        self.clone()
            .each_operand(&mut |operand| operands.push(*operand));
        operands
    }

    pub(crate) fn each_operand(&mut self, visit: &mut dyn FnMut(&mut ValueId)) {
        match self {
            Op::Parameter(_) | Op::Caught | Op::Constant(_) | Op::GetStatic { .. } | Op::New(_) => {
            }
            Op::Phi(values)
            | Op::NewArray {
                lengths: values, ..
            }
            | Op::Invoke {
                arguments: values, ..
            }
            | Op::InvokeDynamic {
                arguments: values, ..
            } => values.iter_mut().for_each(visit),
            Op::Arithmetic { left, right, .. } => {
                visit(left);
                right.iter_mut().for_each(visit);
            }
            Op::GetField { object: value, .. }
            | Op::PutStatic { value, .. }
            | Op::ArrayLength(value)
            | Op::Cast { value, .. }
            | Op::InstanceOf { value, .. }
            | Op::Monitor { value, .. } => visit(value),
            Op::PutField { object, value, .. } => {
                visit(object);
                visit(value);
            }
            Op::ArrayLoad { array, index, .. } => {
                visit(array);
                visit(index);
            }
            Op::ArrayStore {
                array,
                index,
                value,
                ..
            } => {
                visit(array);
                visit(index);
                visit(value);
            }
        }
    }
}

impl End {
    pub fn operands(&self) -> Vec<ValueId> {
        let mut operands = Vec::new();
        self.clone()
            .each_operand(&mut |operand| operands.push(*operand));
        operands
    }

    pub(crate) fn each_operand(&mut self, visit: &mut dyn FnMut(&mut ValueId)) {
        match self {
            End::Jump | End::Return(None) => {}
            End::If { left, right, .. } => {
                visit(left);
                right.iter_mut().for_each(visit);
            }
            End::Switch { key: value, .. } | End::Return(Some(value)) | End::Throw(value) => {
                visit(value);
            }
        }
    }
}
