//! The seam: what a way of rewriting methods has to say, and nothing about how methods are rewritten.
//!
//! A pass of a new kind is one type that implements [`Pass`], in a file of its own. It looks at a method, says in its [`Plan`]
//! what is to be put where, and is done: the emitter moves code, branches, stack maps and tables for all passes at once.

use recrash_classfile::{ClassFile, Error, Member};

use crate::constants::Constants;
use crate::find::method::Method;
use crate::plan::Plan;
use crate::reason::SkipReason;

/// One way of rewriting methods.
pub trait Pass {
    /// By its name and flags alone: whether the pass may have a use for a method with code.
    fn considers(&self, _member: &Member<'_>) -> bool {
        true
    }

    /// Whether [`Self::find`] has to know which methods of the class call which.
    fn follows_calls(&self) -> bool {
        false
    }

    /// Looks at all methods together before any of them is changed.
    fn find<'c>(
        &mut self,
        _class: &'c ClassFile<'c>,
        _methods: &[Method<'c>],
        _constants: &mut Constants<'c>,
    ) -> Result<(), Error> {
        Ok(())
    }

    /// Whether there is anything to plan for a method.
    fn wants(&mut self, method: &Method<'_>) -> bool;

    /// Adds what the pass wants of a method. When one pass cannot plan, none gets anything: the method stays as it is.
    fn plan<'c>(&mut self, method: &Method<'c>, plan: &mut Plan<'c>) -> Result<(), SkipReason>;

    /// The plan could not be carried out: what the pass has noted with it does not count, and constants it has added since are
    /// gone. The answer says what the method goes without if the pass is to plan once more, with less.
    fn undo(&mut self, _method: &Method<'_>, _why: &SkipReason) -> Option<SkipReason> {
        None
    }

    /// All methods are rewritten, and at least one of them has changed.
    fn finish(&mut self, _constants: &mut Constants<'_>) -> Result<(), Error> {
        Ok(())
    }
}
