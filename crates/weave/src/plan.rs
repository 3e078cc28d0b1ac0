//! What passes want of one method, gathered until all of them have been asked.
//!
//! ```text
//! entry      code of each pass, in their order; then the leaps into the middle
//! old code   in front of each instruction, what comes from above passes `above`, and everything passes `before`
//! appended   handlers; those of later passes are innermost, so that each sees the exception the next one rethrows
//! ```

pub(crate) mod entry;
pub(crate) mod leap;

use std::ops::Range;

use recrash_classfile::{
    Assembler, Catch, CodePatch, Error, Frame, Instruction, Kind, PoolAppender, Position,
    VerificationType, opcode,
};

use crate::constants::Constants;
use crate::find::constructor;
use crate::find::heights::Heights;
use crate::find::method::{Input, Method};
use crate::reason::SkipReason;
use entry::OnEntry;
use leap::Leaps;

/// HotSpot interprets longer methods for ever (`-XX:-DontCompileHugeMethods` aside).
const LONGEST_COMPILED: usize = 8000;

/// The plan for one method. All pcs are those of the method as it was.
#[derive(Debug)]
pub struct Plan<'c> {
    pub constants: Constants<'c>,
    pub entry: OnEntry,
    pub leaps: Leaps,
    pub(crate) pieces: Vec<Placed>,
    /// Instructions that give way to others of their length.
    pub(crate) replaced: Vec<(usize, [u8; 3])>,
    /// Handlers, by the number of the pass that wants them.
    pub(crate) catches: Vec<(usize, Catch)>,
    /// What each pass has appended.
    pub(crate) appended: Vec<Range<usize>>,
    /// Holds the appended code with its frames; the rest of it is filled in last.
    pub(crate) patch: CodePatch,
    /// The longest that the method may become if it is no longer now.
    pub(crate) longest: Option<usize>,
    /// Once they were asked for.
    locals: Option<Vec<VerificationType>>,
}

/// Code to be put into the method, and a frame for each of its offsets that it branches to.
#[derive(Debug, Default)]
pub struct Piece {
    pub code: Assembler,
    /// The variables of the method and the stack, as they are there.
    pub frames: Vec<(usize, Frame)>,
}

impl From<Assembler> for Piece {
    fn from(code: Assembler) -> Self {
        Piece {
            code,
            frames: Vec::new(),
        }
    }
}

/// A piece in its place.
#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) pc: usize,
    /// Whether what jumps to `pc` passes it.
    pub(crate) joined: bool,
    pub(crate) piece: Piece,
}

impl<'c> Plan<'c> {
    pub(crate) fn new(pool: PoolAppender<'c>) -> Self {
        Plan {
            constants: Constants::new(pool),
            entry: OnEntry::default(),
            leaps: Leaps::default(),
            pieces: Vec::new(),
            replaced: Vec::new(),
            catches: Vec::new(),
            appended: Vec::new(),
            patch: CodePatch::default(),
            longest: None,
            locals: None,
        }
    }

    /// Nothing is wanted of this method yet.
    pub(crate) fn begin(&mut self, method: &Method<'_>) {
        self.entry.clear(method);
        self.leaps.clear();
        self.pieces.clear();
        self.replaced.clear();
        self.catches.clear();
        self.appended.clear();
        self.patch.clear();
        (self.longest, self.locals) = (None, None);
    }

    /// What is appended from here on is of the next pass.
    pub(crate) fn begin_pass(&mut self) {
        let here = self.patch.appended.len();
        self.appended.push(here..here);
    }

    pub(crate) fn end_pass(&mut self) {
        if let Some(last) = self.appended.last_mut() {
            last.end = self.patch.appended.len();
        }
    }

    /// Whether nothing is wanted.
    pub(crate) fn is_empty(&self) -> bool {
        self.is_unmoved() && self.replaced.is_empty() && self.patch.appended.is_empty()
    }

    /// Whether every instruction stays where it is.
    pub(crate) fn is_unmoved(&self) -> bool {
        self.entry.code.is_empty() && self.leaps.code.is_empty() && self.pieces.is_empty()
    }

    /// Code in front of an instruction, however control comes to it.
    pub fn before(&mut self, pc: usize, piece: impl Into<Piece>) {
        self.place(pc, true, piece.into());
    }

    /// Code in front of an instruction that only what comes from the one above passes, not what jumps there.
    pub fn above(&mut self, pc: usize, piece: impl Into<Piece>) {
        self.place(pc, false, piece.into());
    }

    /// Code behind an instruction that neither jumped nor threw; nothing follows a return, a `goto` or a throw.
    pub fn after(&mut self, instruction: &Instruction<'_>, piece: impl Into<Piece>) {
        self.above(instruction.pc + instruction.bytes.len(), piece);
    }

    fn place(&mut self, pc: usize, joined: bool, piece: Piece) {
        self.pieces.push(Placed { pc, joined, piece });
    }

    /// Code in front of every return, with what is returned on the stack.
    pub fn before_returns(&mut self, method: &Method<'_>, code: &Assembler) -> Result<(), Error> {
        for instruction in method.code.instructions() {
            let instruction = instruction?;
            if matches!(instruction.opcode, opcode::IRETURN..=opcode::RETURN) {
                self.before(instruction.pc, code.clone());
            }
        }
        Ok(())
    }

    /// Code that runs when an exception leaves the method, which then goes on. `write` is told the variable that holds it.
    /// Of a constructor that is what happens once it has called another one: before, HotSpot accepts no handler like this.
    pub fn before_throwing(
        &mut self,
        method: &Method<'_>,
        write: impl FnOnce(&mut Assembler, u16, &mut Constants<'c>) -> Result<(), Error>,
    ) -> Result<(), SkipReason> {
        let start = if method.is_constructor {
            constructor::find(method, None, &mut Heights::default())?.after
        } else {
            0
        };
        let throwable = self.constants.throwable()?;
        let keep = self.slot_for_throwable(method)?;
        let mut code = self.appending();
        let target = Position::Appended(code.len());
        code.store(Kind::Reference, keep);
        write(&mut code, keep, &mut self.constants)?;
        code.load(Kind::Reference, keep);
        code.op(opcode::ATHROW);
        self.append(code);
        let locals = self.locals_at_throw(method, false)?;
        self.patch.place_frame(target, locals, Some(throwable));
        self.catch(Catch {
            start: Position::Instruction(start),
            end: Position::Boundary(method.code.bytes.len()),
            target,
            catch_type: 0,
        });
        self.needs_stack(1);
        Ok(())
    }

    /// Rather than to become too long for the JIT compiler, the method is to stay as it is.
    pub fn stay_compilable(&mut self) {
        self.longest = Some(LONGEST_COMPILED);
    }

    /// Puts another instruction in the place of one of its length.
    pub(crate) fn replace(&mut self, pc: usize, with: [u8; 3]) {
        self.replaced.push((pc, with));
    }

    /// The code that is appended, to be given back by [`Self::append`].
    pub(crate) fn appending(&mut self) -> Assembler {
        Assembler::continuing(std::mem::take(&mut self.patch.appended))
    }

    pub(crate) fn append(&mut self, code: Assembler) {
        self.patch.appended = code.into_bytes();
    }

    /// A handler. What is covered to the end of the method takes in the handlers of later passes, too.
    pub(crate) fn catch(&mut self, catch: Catch) {
        let pass = self.appended.len();
        self.catches.push((pass, catch));
    }

    /// Code on entry or in a handler, where the stack is the code's own, needs so many slots of it.
    pub fn needs_stack(&mut self, slots: u16) {
        self.patch.max_stack = self.patch.max_stack.max(slots);
    }

    /// Code between instructions needs so many slots on top of whatever is on the stack.
    pub fn needs_stack_on_top(&mut self, method: &Method<'_>, slots: u16) {
        self.needs_stack(method.code.max_stack.saturating_add(slots));
    }

    /// Where a handler keeps the throwable: in a slot of the body's own, which it no longer needs, or else behind all.
    pub(crate) fn slot_for_throwable(&mut self, method: &Method<'_>) -> Result<u16, Error> {
        let keep = if method.input_slots < method.code.max_locals {
            method.input_slots
        } else {
            self.entry.next_local()
        };
        let needed = keep.checked_add(1).ok_or_else(|| Error::TooManySlots)?;
        self.patch.max_locals = self.patch.max_locals.max(needed);
        Ok(keep)
    }

    /// What is in the variables on entry, exactly.
    pub(crate) fn locals_on_entry(
        &mut self,
        method: &Method<'_>,
    ) -> Result<&[VerificationType], Error> {
        if self.locals.is_none() {
            self.locals = Some(method.exact_locals(&mut self.constants.pool)?);
        }
        Ok(self.locals.as_deref().unwrap_or(&[]))
    }

    /// Has the constants that the stack map needs for them added now, where it will need them.
    pub(crate) fn ask_for_locals(&mut self, method: &Method<'_>) -> Result<(), Error> {
        if !self.is_unmoved() && method.class.major >= 50 {
            self.locals_on_entry(method)?;
        }
        Ok(())
    }

    /// Adds to variables that end with the inputs: nothing in the body's own slots, and the first `count` that were added.
    pub(crate) fn with_added(
        &mut self,
        locals: &mut Vec<VerificationType>,
        method: &Method<'_>,
        count: usize,
    ) -> Result<(), Error> {
        let added = self.entry.added.get(..count).unwrap_or(&self.entry.added);
        if !added.is_empty() {
            let own = method.code.max_locals.saturating_sub(method.input_slots);
            locals.extend(std::iter::repeat_n(VerificationType::Top, own.into()));
            for &kind in added {
                locals.push(self.constants.kept_as(kind)?);
            }
        }
        Ok(())
    }

    /// What a handler may assume of the variables: inputs that nothing has overwritten, as plain objects, and what was added.
    pub(crate) fn locals_at_throw(
        &mut self,
        method: &Method<'_>,
        before_super: bool,
    ) -> Result<Vec<VerificationType>, Error> {
        let mut locals = Vec::with_capacity(method.inputs.len() + self.entry.added.len() + 4);
        for (number, input) in method.inputs.iter().enumerate() {
            let &Input { kind, intact, .. } = input;
            if number == 0 && before_super {
                // Also says that `this` is still uninitialised, as the code the handler covers does.
                locals.push(VerificationType::UninitializedThis);
            } else if intact {
                locals.push(self.constants.kept_as(kind)?);
            } else {
                let nothing = std::iter::repeat_n(VerificationType::Top, kind.slots().into());
                locals.extend(nothing);
            }
        }
        self.with_added(&mut locals, method, usize::MAX)?;
        Ok(locals)
    }
}
