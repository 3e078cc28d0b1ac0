//! One look at a method's instructions: all that decides whether and how it is woven.

use recrash_classfile::{Code, Error, opcode};

/// A set of the first local variables. Receiver and parameters never take more (JVMS 4.3.3).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Slots([u64; 4]);

impl Slots {
    fn insert(&mut self, slot: usize) {
        if let Some(word) = self.0.get_mut(slot / 64) {
            *word |= 1 << (slot % 64);
        }
    }

    /// Slots beyond the set count as members: nothing is promised of them.
    pub(crate) fn contains(self, slot: u16) -> bool {
        self.0
            .get(usize::from(slot) / 64)
            .is_none_or(|word| word >> (slot % 64) & 1 == 1)
    }
}

/// What the scan found.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    pub(crate) instructions: usize,
    /// Whether each of the first slots (those of receiver and parameters) is written by some instruction.
    pub(crate) written: Slots,
    /// Fieldrefs of the fields written, each once, and where they are written first.
    pub(crate) puts: Vec<(u16, usize)>,
    /// Constant pool indexes of the static fields read, each once.
    pub(crate) reads: Vec<u16>,
    /// Methodrefs of the methods of the same class that are called, constructors aside, each once.
    pub(crate) own_calls: Vec<u16>,
    /// Calls of constructors, in order.
    pub(crate) constructor_calls: Vec<usize>,
    /// Where the first `new` or branch is, if any: up to there the code is a straight line about `this`.
    pub(crate) first_new_or_branch: Option<usize>,
}

/// The opcodes that [`scan`] looks at.
const INTERESTING: [bool; 256] = {
    let mut wanted = [false; 256];
    let mut opcode = 0;
    #[allow(
        clippy::indexing_slicing,
        reason = "evaluated by the compiler, which would refuse a bad index"
    )]
    while opcode < 256 {
        wanted[opcode] = matches!(
            opcode as u8,
            opcode::ISTORE..=opcode::ASTORE_3
                | opcode::IINC
                | opcode::IFEQ..=opcode::LOOKUPSWITCH
                | opcode::GETSTATIC
                | opcode::PUTFIELD..=opcode::INVOKESTATIC
                | opcode::NEW
                | opcode::IFNULL..=opcode::JSR_W
        );
        opcode += 1;
    }
    wanted
};

/// `own` says of Methodrefs whether they name the class itself; `is_constructor_call` looks at one.
pub(crate) fn scan(
    code: &Code<'_>,
    own: &[bool],
    is_constructor_call: impl Fn(u16) -> bool,
) -> Result<Scan, Error> {
    let mut scan = Scan::default();
    let mut instructions = code.instructions();
    loop {
        let (skipped, found) = instructions.find_next(&INTERESTING);
        scan.instructions += skipped;
        let Some(instruction) = found.transpose()? else {
            return Ok(scan);
        };
        scan.instructions += 1;
        match instruction.opcode {
            opcode::ISTORE..=opcode::ASTORE
            | opcode::ISTORE_0..=opcode::ASTORE_3
            | opcode::IINC => {
                let local = instruction.local().unwrap_or(0) as usize;
                scan.written.insert(local);
                // lstore and dstore, and their short forms.
                if matches!(instruction.opcode, opcode::LSTORE | opcode::DSTORE | 63..=66 | 71..=74)
                {
                    scan.written.insert(local + 1);
                }
            }
            opcode::PUTFIELD => {
                let field = instruction.index();
                if !scan.puts.iter().any(|&(known, _)| known == field) {
                    scan.puts.push((field, instruction.pc));
                }
            }
            opcode::GETSTATIC => {
                let field = instruction.index();
                if !scan.reads.contains(&field) {
                    scan.reads.push(field);
                }
            }
            opcode::INVOKEVIRTUAL..=opcode::INVOKESTATIC => {
                let method = instruction.index();
                if instruction.opcode == opcode::INVOKESPECIAL && is_constructor_call(method) {
                    scan.constructor_calls.push(instruction.pc);
                } else if own.get(usize::from(method)) == Some(&true)
                    && !scan.own_calls.contains(&method)
                {
                    scan.own_calls.push(method);
                }
            }
            opcode::NEW => {
                scan.first_new_or_branch.get_or_insert(instruction.pc);
            }
            _ if instruction.is_branch() || instruction.opcode == opcode::RET => {
                scan.first_new_or_branch.get_or_insert(instruction.pc);
            }
            _ => {}
        }
    }
}
