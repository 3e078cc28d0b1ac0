//! Calls by which woven code tells how far it has come.

use recrash_classfile::{Assembler, Error, PoolAppender, opcode};

/// A static method that takes a number and gives nothing back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    /// In internal form (slashes).
    pub owner: &'static str,
    pub name: &'static str,
}

impl Told {
    /// Calls it; takes one slot of the stack.
    pub fn call(
        self,
        number: u16,
        code: &mut Assembler,
        pool: &mut PoolAppender<'_>,
    ) -> Result<(), Error> {
        code.push_int(i32::from(number), pool)?;
        let target = pool.method(self.owner.as_bytes(), self.name.as_bytes(), b"(I)V")?;
        code.op_index(opcode::INVOKESTATIC, target);
        Ok(())
    }
}
