//! Writes the few instructions that patches are made of, each in its shortest form.

use crate::descriptor::Kind;
use crate::opcode::{self, ILOAD, ILOAD_0, ISTORE, ISTORE_0, WIDE};
use crate::{Error, PoolAppender};

/// Code being written. It keeps no books on the stack; the caller knows how high it goes.
#[derive(Debug, Clone, Default)]
pub struct Assembler {
    code: Vec<u8>,
}

/// A forward branch whose target is not known yet.
#[derive(Debug)]
#[must_use]
pub struct Jump(usize);

impl Assembler {
    pub fn new() -> Self {
        Assembler::default()
    }

    /// Goes on behind code that is there.
    pub fn continuing(code: Vec<u8>) -> Self {
        Assembler { code }
    }

    /// Forgets what was written, but keeps its memory.
    pub fn clear(&mut self) {
        self.code.clear();
    }

    pub fn len(&self) -> usize {
        self.code.len()
    }

    pub fn is_empty(&self) -> bool {
        self.code.is_empty()
    }

    pub fn bytes(&self) -> &[u8] {
        &self.code
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.code
    }

    /// What another one has written, which must not branch.
    pub fn append(&mut self, other: Assembler) {
        self.code.extend(other.code);
    }

    /// An instruction without operands.
    pub fn op(&mut self, opcode: u8) {
        self.code.push(opcode);
    }

    /// An instruction with a constant pool index.
    pub fn op_index(&mut self, opcode: u8, index: u16) {
        self.code.push(opcode);
        self.code.extend_from_slice(&index.to_be_bytes());
    }

    pub fn load(&mut self, kind: Kind, local: u16) {
        self.local(kind, local, ILOAD, ILOAD_0);
    }

    pub fn store(&mut self, kind: Kind, local: u16) {
        self.local(kind, local, ISTORE, ISTORE_0);
    }

    fn local(&mut self, kind: Kind, local: u16, general: u8, first_short: u8) {
        let kind = match kind {
            Kind::Int => 0,
            Kind::Long => 1,
            Kind::Float => 2,
            Kind::Double => 3,
            Kind::Reference => 4,
        };
        match local {
            0..=3 => self.code.push(first_short + kind * 4 + local as u8),
            4..=255 => self.code.extend_from_slice(&[general + kind, local as u8]),
            _ => {
                self.code.push(WIDE);
                self.op_index(general + kind, local);
            }
        }
    }

    /// Zero or null.
    pub fn zero(&mut self, kind: Kind) {
        self.code.push(match kind {
            Kind::Int => opcode::ICONST_0,
            Kind::Long => opcode::LCONST_0,
            Kind::Float => opcode::FCONST_0,
            Kind::Double => opcode::DCONST_0,
            Kind::Reference => opcode::ACONST_NULL,
        });
    }

    pub fn push_int(&mut self, value: i32, pool: &mut PoolAppender<'_>) -> Result<(), Error> {
        if let Ok(byte) = i8::try_from(value) {
            self.code.extend_from_slice(&[opcode::BIPUSH, byte as u8]);
        } else if let Ok(short) = i16::try_from(value) {
            self.op_index(opcode::SIPUSH, short as u16);
        } else {
            self.push_constant(pool.new_integer(value)?);
        }
        Ok(())
    }

    /// `text` in modified UTF-8.
    pub fn push_string(&mut self, text: &[u8], pool: &mut PoolAppender<'_>) -> Result<(), Error> {
        self.push_constant(pool.string(text)?);
        Ok(())
    }

    fn push_constant(&mut self, index: u16) {
        match u8::try_from(index) {
            Ok(index) => self.code.extend_from_slice(&[opcode::LDC, index]),
            Err(_) => self.op_index(opcode::LDC_W, index),
        }
    }

    /// A branch forward, to be landed later.
    pub fn jump(&mut self, opcode: u8) -> Jump {
        let at = self.code.len();
        self.op_index(opcode, 0);
        Jump(at)
    }

    /// Makes the branch lead to what is written next.
    pub fn land(&mut self, jump: &Jump) -> Result<(), Error> {
        let offset = i16::try_from(self.code.len() - jump.0)
            .map_err(|_| Error::BranchTooFar { pc: jump.0 })?;
        if let Some(operand) = self.code.get_mut(jump.0 + 1..jump.0 + 3) {
            operand.copy_from_slice(&offset.to_be_bytes());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locals_take_the_shortest_form_there_is() {
        let mut code = Assembler::new();
        code.load(Kind::Reference, 0);
        code.load(Kind::Int, 4);
        code.store(Kind::Double, 300);
        code.store(Kind::Long, 3);
        assert_eq!(code.into_bytes(), [42, 21, 4, 196, 57, 1, 44, 66]);
    }
}
