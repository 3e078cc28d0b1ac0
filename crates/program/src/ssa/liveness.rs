//! Which local variables are still read: only those need a phi where ways meet.

use recrash_classfile::{Instruction, opcode};

use crate::cfg::{BlockId, Cfg};

/// By block: a bit per local variable that is read before it is written again, as of the block's start.
pub(super) struct Liveness {
    words: usize,
    bits: Vec<u64>,
}

/// What an instruction does to a local variable.
pub(super) enum Access {
    Read(u16),
    Write(u16),
    Both(u16),
    None,
}

pub(super) fn access(instruction: &Instruction<'_>) -> Access {
    let Some(local) = instruction.local() else {
        return Access::None;
    };
    match instruction.opcode {
        opcode::IINC => Access::Both(local),
        // `ret` reads an address that only the control flow needs.
        opcode::RET => Access::None,
        opcode::ISTORE..=opcode::ASTORE_3 => Access::Write(local),
        _ => Access::Read(local),
    }
}

impl Liveness {
    pub(super) fn of(cfg: &Cfg<'_>, locals: u16) -> Liveness {
        let words = usize::from(locals).div_ceil(64).max(1);
        let count = cfg.blocks.len();
        let mut reads = vec![0_u64; words * count];
        let mut writes = vec![0_u64; words * count];
        for (number, block) in cfg.blocks.iter().enumerate() {
            let row = number * words;
            for instruction in &block.instructions {
                let (read, written) = match access(instruction) {
                    Access::Read(local) => (Some(local), None),
                    Access::Write(local) => (None, Some(local)),
                    Access::Both(local) => (Some(local), Some(local)),
                    Access::None => (None, None),
                };
                if let Some(local) = read
                    && !is_set(&writes, row, local)
                {
                    set(&mut reads, row, local);
                }
                if let Some(local) = written {
                    set(&mut writes, row, local);
                }
            }
        }
        let mut bits = reads;
        let mut changed = true;
        while changed {
            changed = false;
            for (number, block) in cfg.blocks.iter().enumerate().rev() {
                for word in 0..words {
                    let at = |bits: &[u64], block: BlockId| {
                        bits.get(block.0 as usize * words + word)
                            .copied()
                            .unwrap_or(0)
                    };
                    let after = block
                        .successors
                        .iter()
                        .fold(0, |all, &next| all | at(&bits, next));
                    // A handler starts with the variables its block started with.
                    let caught = block
                        .handlers
                        .iter()
                        .fold(0, |all, handler| all | at(&bits, handler.block));
                    let kept = writes.get(number * words + word).copied().unwrap_or(0);
                    if let Some(live) = bits.get_mut(number * words + word) {
                        let new = *live | (after & !kept) | caught;
                        changed |= new != *live;
                        *live = new;
                    }
                }
            }
        }
        Liveness { words, bits }
    }

    pub(super) fn is_live(&self, block: BlockId, local: u16) -> bool {
        is_set(&self.bits, block.0 as usize * self.words, local)
    }
}

fn is_set(bits: &[u64], row: usize, local: u16) -> bool {
    bits.get(row + usize::from(local / 64))
        .is_some_and(|word| word & (1 << (local % 64)) != 0)
}

fn set(bits: &mut [u64], row: usize, local: u16) {
    if let Some(word) = bits.get_mut(row + usize::from(local / 64)) {
        *word |= 1 << (local % 64);
    }
}
