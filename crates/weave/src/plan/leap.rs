//! Jumps from the entry of a method into the middle of it.

use recrash_classfile::{Assembler, Error, Frame, Jump};

/// Code behind everything else on entry, because what it jumps over would not run: all passes' variables have their values
/// there.
#[derive(Debug, Default)]
pub struct Leaps {
    pub code: Assembler,
    /// Offsets that are branched to from inside.
    pub(crate) landings: Vec<usize>,
    /// Offsets of branches, and the pcs of the instructions they lead to.
    pub(crate) branches: Vec<(usize, usize)>,
    /// What must be in the variables and on the stack at those pcs.
    pub(crate) frames: Vec<(usize, Frame)>,
}

impl Leaps {
    pub(crate) fn clear(&mut self) {
        self.code.clear();
        self.landings.clear();
        self.branches.clear();
        self.frames.clear();
    }

    /// Lets a jump lead here.
    pub fn land(&mut self, jump: &Jump) -> Result<(), Error> {
        self.code.land(jump)?;
        self.landings.push(self.code.len());
        Ok(())
    }

    /// A branch to the instruction at `pc`, where the variables of the method and its stack are as `frame` says. What the
    /// method's own stack map says there counts more.
    pub fn leap(&mut self, opcode: u8, pc: usize, frame: Frame) {
        self.branches.push((self.code.len(), pc));
        // Led there when the place of everything is known.
        let _ = self.code.jump(opcode);
        if self.frames.iter().all(|(known, _)| *known != pc) {
            self.frames.push((pc, frame));
        }
    }
}
