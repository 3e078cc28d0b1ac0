//! The pass that makes a method begin with a call.

use recrash_classfile::{Error, Member, opcode};

use crate::find::method::Method;
use crate::pass::Pass;
use crate::plan::Plan;
use crate::reason::{Reason, SkipReason};
use crate::rewrite::rewrite;

/// The static method a class is made to call, `owner` in internal form (slashes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prepended<'a> {
    pub owner: &'a str,
    pub name: &'a str,
    /// Must fit what is passed.
    pub descriptor: &'a str,
    pub passed: Passed<'a>,
    /// Whatever goes wrong with the call, even that there is no such class, the method goes on.
    pub guarded: bool,
}

/// What a prepended call gets of `this` (instance methods) and the parameters of the method that makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passed<'a> {
    Nothing,
    Everything,
    /// These, by their places; where there is a receiver, it has place 0.
    Only(&'a [usize]),
}

impl Passed<'_> {
    fn includes(self, place: usize) -> bool {
        match self {
            Passed::Nothing => false,
            Passed::Everything => true,
            Passed::Only(places) => places.contains(&place),
        }
    }
}

/// Makes a method begin with a call of a static `void` method that gets what the method got, or a part of it.
///
/// `recrash` uses it on `Thread.dispatchUncaughtException(Throwable)`.
pub fn prepend_call(
    class: &[u8],
    method: &str,
    descriptor: &str,
    call: Prepended<'_>,
) -> Result<Vec<u8>, Error> {
    let mut pass = BeginWithCall {
        method,
        descriptor,
        call,
        defect: None,
    };
    let rewritten = rewrite(class, &mut [&mut pass]);
    match (rewritten, pass.defect) {
        (Ok(rewritten), _) => Ok(rewritten.bytes),
        (Err(_), Some(defect)) | (Err(Reason::Malformed(defect)), None) => Err(defect),
        (Err(_), None) => Err(Error::NoSuchMethod {
            method: format!("{method}{descriptor}"),
        }),
    }
}

struct BeginWithCall<'a> {
    method: &'a str,
    descriptor: &'a str,
    call: Prepended<'a>,
    /// What is wrong with the method.
    defect: Option<Error>,
}

impl Pass for BeginWithCall<'_> {
    fn considers(&self, member: &Member<'_>) -> bool {
        member.name == self.method.as_bytes() && member.descriptor == self.descriptor.as_bytes()
    }

    fn wants(&mut self, _method: &Method<'_>) -> bool {
        true
    }

    fn plan<'c>(&mut self, method: &Method<'c>, plan: &mut Plan<'c>) -> Result<(), SkipReason> {
        let call = self.call;
        for (place, input) in method.inputs.iter().enumerate() {
            if call.passed.includes(place) {
                plan.entry.code.load(input.kind, input.slot);
            }
        }
        let target = plan.constants.pool.method(
            call.owner.as_bytes(),
            call.name.as_bytes(),
            call.descriptor.as_bytes(),
        )?;
        plan.entry.code.op_index(opcode::INVOKESTATIC, target);
        plan.locals_on_entry(method)?;
        if call.guarded {
            plan.constants.throwable()?;
            plan.entry.guard_from(0)?;
        }
        plan.needs_stack(method.input_slots.max(1));
        Ok(())
    }

    fn undo(&mut self, _method: &Method<'_>, why: &SkipReason) -> Option<SkipReason> {
        if let SkipReason::CannotPatch(defect) = why {
            self.defect = Some(defect.clone());
        }
        None
    }
}
