//! The calls that the pass adds.

use recrash_classfile::{Assembler, Error, Kind, PoolAppender, Type, opcode};

const BORDER: &[u8] = b"java/lang/$RecrashBorder";
const TALK: &[u8] = b"java/lang/$RecrashTalk";

/// A static method that answers with the thread's `$RecrashTalk`, which values are put to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Talk {
    Calling,
    Perhaps,
    Making,
    Reading,
    Asking,
    Writing,
    Read,
    Element,
    Returning,
    Leaving,
}

impl Talk {
    fn name(self) -> &'static [u8] {
        match self {
            Talk::Calling => b"calling",
            Talk::Perhaps => b"perhaps",
            Talk::Making => b"making",
            Talk::Reading => b"reading",
            Talk::Asking => b"asking",
            Talk::Writing => b"writing",
            Talk::Read => b"read",
            Talk::Element => b"element",
            Talk::Returning => b"returning",
            Talk::Leaving => b"leaving",
        }
    }
}

/// Writes code with the constants that it needs.
pub(super) struct Writer<'w, 'c> {
    pub(super) code: &'w mut Assembler,
    pub(super) pool: &'w mut PoolAppender<'c>,
}

impl Writer<'_, '_> {
    fn call(&mut self, owner: &[u8], name: &[u8], descriptor: &[u8], by: u8) -> Result<(), Error> {
        let target = self.pool.method(owner, name, descriptor)?;
        self.code.op_index(by, target);
        Ok(())
    }

    pub(super) fn number(&mut self, number: u32) -> Result<(), Error> {
        self.code.push_int(number as i32, self.pool)
    }

    /// A method of `$RecrashBorder`.
    pub(super) fn border(&mut self, name: &[u8], descriptor: &[u8]) -> Result<(), Error> {
        self.call(BORDER, name, descriptor, opcode::INVOKESTATIC)
    }

    /// Takes the number on the stack.
    pub(super) fn talk(&mut self, talk: Talk) -> Result<(), Error> {
        self.border(talk.name(), b"(I)Ljava/lang/$RecrashTalk;")
    }

    pub(super) fn receiver(&mut self, local: u16) -> Result<(), Error> {
        self.code.load(Kind::Reference, local);
        let descriptor = b"(Ljava/lang/Object;)Ljava/lang/$RecrashTalk;";
        self.call(TALK, b"on", descriptor, opcode::INVOKEVIRTUAL)
    }

    /// What is hidden is there, but not what it says.
    pub(super) fn put_or_hide(
        &mut self,
        hidden: bool,
        of: Type<'_>,
        local: u16,
    ) -> Result<(), Error> {
        self.code.load(of.kind(), local);
        let (name, parameter) = match of.descriptor {
            [b'L' | b'[', ..] if hidden => (&b"hide"[..], &b"Ljava/lang/Object;"[..]),
            [b'L' | b'[', ..] => (&b"put"[..], &b"Ljava/lang/Object;"[..]),
            other => (&b"put"[..], other),
        };
        let descriptor = [b"(", parameter, b")Ljava/lang/$RecrashTalk;"].concat();
        self.call(TALK, name, &descriptor, opcode::INVOKEVIRTUAL)
    }

    pub(super) fn go(&mut self) -> Result<(), Error> {
        self.call(TALK, b"go", b"()V", opcode::INVOKEVIRTUAL)
    }
}

/// Doubles what is on top of the stack.
pub(super) fn double(kind: Kind) -> u8 {
    match kind.slots() {
        2 => opcode::DUP2,
        _ => opcode::DUP,
    }
}
