//! The catch-all handler: hands throwable, site and entry values to the runtime, then rethrows.
//!
//! ```text
//! record:   astore T; aload T; <site>; invokestatic enter
//!           (dup; <value>; invokevirtual put)*
//! rethrow:  pop; aload T; athrow
//! ```
//! A second entry covers the recording itself and leads to `rethrow`, so that a StackOverflowError in there never takes the
//! place of the program's own exception. Both ways arrive at `rethrow` with one object on the stack.

use recrash_classfile::{
    Assembler, CatchAll, CodePatch, Error, Frame, Kind, PlacedFrame, PoolAppender, Position,
    VerificationType, opcode,
};

use crate::runtime::{Call, Runtime};

/// A value to be recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    Local(Kind, u16),
}

/// Appended code never needs more: the record, its copy and a long.
pub(crate) const STACK: u16 = 4;

/// `dup; <value>; put` for each value, with the record on the stack before and after.
pub(crate) fn put_all(
    values: &[Value],
    code: &mut Assembler,
    runtime: &mut Runtime,
    pool: &mut PoolAppender<'_>,
) -> Result<(), Error> {
    for value in values {
        code.op(opcode::DUP);
        let kind = match *value {
            Value::Null => {
                code.zero(Kind::Reference);
                Kind::Reference
            }
            Value::Local(kind, local) => {
                code.load(kind, local);
                kind
            }
        };
        code.op_index(opcode::INVOKEVIRTUAL, runtime.call(Call::Put(kind), pool)?);
    }
    Ok(())
}

/// What a handler is made of.
pub(crate) struct Handler<'h> {
    pub(crate) site: u32,
    pub(crate) start: Position,
    pub(crate) end: Position,
    pub(crate) values: &'h [Value],
    /// What the verifier may assume of the locals when the handler starts.
    pub(crate) locals: Vec<VerificationType>,
    /// Where the throwable is kept meanwhile: a slot of the body's own, which the handler no longer needs.
    pub(crate) keep: u16,
}

impl Handler<'_> {
    /// Adds the handler to what is appended to the code.
    pub(crate) fn append(
        self,
        code: &mut Assembler,
        patch: &mut CodePatch,
        runtime: &mut Runtime,
        pool: &mut PoolAppender<'_>,
    ) -> Result<(), Error> {
        let throwable = VerificationType::Object(runtime.throwable(pool)?);
        let object = VerificationType::Object(runtime.object(pool)?);
        let record = Position::Appended(code.len());
        code.store(Kind::Reference, self.keep);
        let guarded = Position::Appended(code.len());
        code.load(Kind::Reference, self.keep);
        code.push_int(self.site as i32, pool)?;
        code.op_index(opcode::INVOKESTATIC, runtime.call(Call::Enter, pool)?);
        put_all(self.values, code, runtime, pool)?;
        let rethrow = Position::Appended(code.len());
        code.op(opcode::POP);
        code.load(Kind::Reference, self.keep);
        code.op(opcode::ATHROW);

        patch.catches.push(CatchAll {
            start: self.start,
            end: self.end,
            target: record,
        });
        patch.catches.push(CatchAll {
            start: guarded,
            end: rethrow,
            target: rethrow,
        });
        let keeping = rethrow_locals(&self.locals, self.keep, throwable);
        patch.frames.push(PlacedFrame {
            at: record,
            frame: Frame {
                locals: self.locals,
                stack: vec![throwable],
            },
        });
        patch.frames.push(PlacedFrame {
            at: rethrow,
            frame: Frame {
                locals: keeping,
                stack: vec![object],
            },
        });
        let needed = self
            .keep
            .checked_add(1)
            .ok_or_else(|| Error::TooManySlots)?;
        patch.max_locals = patch.max_locals.max(needed);
        patch.max_stack = STACK;
        Ok(())
    }
}

/// All that is left to do needs the throwable only; but an uninitialised `this` has to be mentioned as long as it is one.
fn rethrow_locals(
    locals: &[VerificationType],
    keep: u16,
    throwable: VerificationType,
) -> Vec<VerificationType> {
    let mut left = vec![VerificationType::Top; usize::from(keep)];
    if let (Some(this @ VerificationType::UninitializedThis), Some(first)) =
        (locals.first(), left.first_mut())
    {
        *first = *this;
    }
    left.push(throwable);
    left
}
