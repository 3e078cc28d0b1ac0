//! Values that are handed to the runtime.

use recrash_classfile::{Assembler, Error, Kind, PoolAppender, opcode};

use crate::runtime::{Call, Runtime};

/// A value to be recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    Local(Kind, u16),
}

impl Value {
    pub(crate) fn kind(self) -> Kind {
        match self {
            Value::Null => Kind::Reference,
            Value::Local(kind, _) => kind,
        }
    }

    pub(crate) fn is_reference(self) -> bool {
        self.kind() == Kind::Reference
    }

    pub(crate) fn load(self, code: &mut Assembler) {
        match self {
            Value::Null => code.zero(Kind::Reference),
            Value::Local(kind, local) => code.load(kind, local),
        }
    }
}

/// What `put` needs: the record, its copy and a long.
pub(crate) const STACK: u16 = 4;

/// `dup; <value>; put` for each value, with the record on the stack before and after.
pub(crate) fn put_all<'v>(
    values: impl Iterator<Item = &'v Value>,
    code: &mut Assembler,
    runtime: &mut Runtime,
    pool: &mut PoolAppender<'_>,
) -> Result<(), Error> {
    for value in values {
        code.op(opcode::DUP);
        value.load(code);
        let put = runtime.call(Call::Put(value.kind()), pool)?;
        code.op_index(opcode::INVOKEVIRTUAL, put);
    }
    Ok(())
}
