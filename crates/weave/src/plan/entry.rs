//! Code on entry: what passes put in front of a method's first instruction, one behind the other, and the variables that it
//! gives a value.

use recrash_classfile::{Assembler, Error, Jump, Kind, opcode};

use crate::find::method::Method;

/// Code that runs once per call, before anything else. The variables that it adds keep their values all through the method,
/// so they must have one wherever it branches to, and at its end.
#[derive(Debug, Default)]
pub struct OnEntry {
    pub code: Assembler,
    /// The kinds of the variables that were added, from slot `max_locals` on.
    pub(crate) added: Vec<Kind>,
    pub(crate) guards: Vec<Guard>,
    /// Offsets that are branched to, and how many of the added variables have a value there.
    pub(crate) landings: Vec<(usize, usize)>,
    next_local: u16,
}

/// A range of the code on entry whose exceptions are dropped: offsets of its start, its end and where it goes on, and how many
/// of the added variables have a value in there.
#[derive(Debug)]
pub(crate) struct Guard {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) caught: usize,
    pub(crate) added: usize,
}

impl OnEntry {
    pub(crate) fn clear(&mut self, method: &Method<'_>) {
        self.code.clear();
        self.added.clear();
        self.guards.clear();
        self.landings.clear();
        self.next_local = method.code.max_locals.max(method.input_slots);
    }

    /// A variable that nothing else uses.
    pub fn new_local(&mut self, kind: Kind) -> Result<u16, Error> {
        let local = self.next_local;
        self.next_local = local
            .checked_add(kind.slots())
            .ok_or_else(|| Error::TooManySlots)?;
        self.added.push(kind);
        Ok(local)
    }

    pub(crate) fn is_guarded(&self) -> bool {
        !self.guards.is_empty()
    }

    /// The first slot that is still free.
    pub(crate) fn next_local(&self) -> u16 {
        self.next_local
    }

    /// Lets a jump lead here. All variables that were added up to here have a value by now.
    pub fn land(&mut self, jump: &Jump) -> Result<(), Error> {
        self.code.land(jump)?;
        self.landings.push((self.code.len(), self.added.len()));
        Ok(())
    }

    /// Whatever is thrown from `start` to here is dropped, and the method goes on.
    pub fn guard_from(&mut self, start: usize) -> Result<(), Error> {
        let end = self.code.len();
        let body = self.code.jump(opcode::GOTO);
        let caught = self.code.len();
        self.code.op(opcode::POP);
        self.land(&body)?;
        self.guards.push(Guard {
            start,
            end,
            caught,
            added: self.added.len(),
        });
        Ok(())
    }
}
