//! The catch-all handler: hands throwable, site and entry values to the runtime, then rethrows.
//!
//! ```text
//! record:   astore T; aload T; <site>; <value>*; invokestatic enter
//!           (dup; <value>; invokevirtual put)*           the few values that no `enter` takes
//!           dup; invokevirtual inside                    in constructors
//! recorded: pop; aload T; athrow
//! failed:   pop; aload T; athrow
//! ```
//! The site of a frame whose last value is its place in the journal (see `journal`) is given as its complement.
//!
//! A second entry covers the recording itself and leads to `failed`, so that a StackOverflowError in there never takes the
//! place of the program's own exception. The two ends are alike but must stay apart: HotSpot's first compiler gives up on
//! a method whose handler is also reached by normal control flow, and the method would stay interpreted.

use recrash_classfile::{
    Assembler, Catch, Error, Kind, PoolAppender, Position, VerificationType, opcode,
};

use crate::find::method::Method;
use crate::plan::Plan;
use crate::record::value::{STACK, Value, put_all};
use crate::runtime::{Call, Runtime};
use crate::site::Place;

/// `$Recrash.enter` exists for so many references and ints: one call compiles to less than a call per value.
const MOST_REFERENCES: usize = 5;
const MOST_INTS: usize = 2;

/// What a handler is made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Handler<'h> {
    pub(crate) site: u32,
    pub(crate) place: Place,
    pub(crate) start: Position,
    pub(crate) end: Position,
    pub(crate) values: &'h [Value],
    /// The last value is a place in the journal. The journal itself is the thread's, which the runtime finds: in a variable
    /// it would take a register all the while.
    pub(crate) marked: bool,
    /// Where the throwable is kept meanwhile: a slot of the body's own, which the handler no longer needs.
    pub(crate) keep: u16,
    /// 0 for everything, or what wakes it (see `offline.rs`).
    pub(crate) catch_type: u16,
}

impl Handler<'_> {
    /// Adds the handler to what is appended to the code.
    pub(crate) fn append(
        self,
        method: &Method<'_>,
        plan: &mut Plan<'_>,
        runtime: &mut Runtime,
    ) -> Result<(), Error> {
        let throwable = plan.constants.throwable()?;
        // In this order woven classes have always had them.
        plan.constants.object()?;
        let mut code = plan.appending();
        let pool = &mut plan.constants.pool;
        let record = Position::Appended(code.len());
        code.store(Kind::Reference, self.keep);
        let guarded = Position::Appended(code.len());
        let passed = self.record(&mut code, runtime, pool)?;
        if method.is_constructor {
            code.op(opcode::DUP);
            code.op_index(opcode::INVOKEVIRTUAL, runtime.call(Call::Inside, pool)?);
        }
        let recorded = Position::Appended(code.len());
        self.rethrow(&mut code);
        let failed = Position::Appended(code.len());
        self.rethrow(&mut code);
        plan.append(code);

        plan.catch(Catch {
            start: self.start,
            end: self.end,
            target: record,
            catch_type: self.catch_type,
        });
        plan.catch(Catch {
            start: guarded,
            end: recorded,
            target: failed,
            catch_type: 0,
        });
        let locals = plan.locals_at_throw(method, self.place == Place::BeforeSuper)?;
        plan.patch.place_frame(record, locals, Some(throwable));
        let left = self.left_to_rethrow(throwable);
        plan.patch.place_frame(failed, left, Some(throwable));
        plan.needs_stack(STACK.max(2 + passed));
        Ok(())
    }

    /// Hands everything over and leaves the record on the stack; the number of values that one call took.
    fn record(
        &self,
        code: &mut Assembler,
        runtime: &mut Runtime,
        pool: &mut PoolAppender<'_>,
    ) -> Result<u16, Error> {
        // The record keeps references apart from primitives, so only the order within each of the two matters.
        let references = || self.values.iter().filter(|value| value.is_reference());
        let primitives = || self.values.iter().filter(|value| !value.is_reference());
        let taken = references().count().min(MOST_REFERENCES);
        let ints = primitives()
            .take(MOST_INTS)
            .take_while(|value| value.kind() == Kind::Int)
            .count();
        code.load(Kind::Reference, self.keep);
        let site = self.site as i32;
        code.push_int(if self.marked { !site } else { site }, pool)?;
        for value in references().take(taken).chain(primitives().take(ints)) {
            value.load(code);
        }
        let enter = Call::Enter {
            references: taken as u8,
            ints: ints as u8,
        };
        code.op_index(opcode::INVOKESTATIC, runtime.call(enter, pool)?);
        let rest = references().skip(taken).chain(primitives().skip(ints));
        put_all(rest, code, runtime, pool)?;
        Ok((taken + ints) as u16)
    }

    /// Drops what is on the stack and throws the program's exception on.
    fn rethrow(&self, code: &mut Assembler) {
        code.op(opcode::POP);
        code.load(Kind::Reference, self.keep);
        code.op(opcode::ATHROW);
    }

    /// To rethrow takes the throwable only; but an uninitialised `this` has to be mentioned as long as it is one.
    fn left_to_rethrow(
        &self,
        throwable: VerificationType,
    ) -> impl Iterator<Item = VerificationType> + use<> {
        let this = match self.place {
            Place::BeforeSuper => VerificationType::UninitializedThis,
            _ => VerificationType::Top,
        };
        let nothing = std::iter::repeat(VerificationType::Top);
        std::iter::once(this)
            .chain(nothing)
            .take(usize::from(self.keep))
            .chain([throwable])
    }
}
