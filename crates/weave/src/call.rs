//! The passes that make methods begin with a call, or call when an exception leaves them.

use recrash_classfile::{Error, Kind, Member, opcode};

use crate::find::method::Method;
use crate::pass::Pass;
use crate::plan::Plan;
use crate::reason::{Reason, SkipReason};
use crate::rewrite::{Rewritten, rewrite};

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

/// A call that a method of a class is made to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallIn<'a> {
    pub method: &'a str,
    pub descriptor: &'a str,
    pub moment: Moment,
    pub call: Prepended<'a>,
}

/// The moment at which a method makes its call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Before anything else.
    Entry,
    /// When an exception leaves it, which is all that is passed.
    Failure,
}

/// Puts calls into several methods of a class; those that cannot have theirs are named and stay as they are.
pub fn insert_calls(class: &[u8], calls: &[CallIn<'_>]) -> Result<Rewritten, Reason> {
    rewrite(class, &mut [&mut InsertCalls { calls }])
}

struct InsertCalls<'a> {
    calls: &'a [CallIn<'a>],
}

impl<'a> InsertCalls<'a> {
    fn of(&self, member: &Member<'_>) -> impl Iterator<Item = &'a CallIn<'a>> {
        let (name, descriptor) = (member.name, member.descriptor);
        self.calls.iter().filter(move |call| {
            call.method.as_bytes() == name && call.descriptor.as_bytes() == descriptor
        })
    }
}

impl Pass for InsertCalls<'_> {
    fn considers(&self, member: &Member<'_>) -> bool {
        self.of(member).next().is_some()
    }

    fn wants(&mut self, _method: &Method<'_>) -> bool {
        true
    }

    fn plan<'c>(&mut self, method: &Method<'c>, plan: &mut Plan<'c>) -> Result<(), SkipReason> {
        for CallIn { moment, call, .. } in self.of(method.member) {
            match moment {
                Moment::Entry => call.begin(method, plan)?,
                Moment::Failure => call.end(method, plan)?,
            }
        }
        Ok(())
    }
}

impl Prepended<'_> {
    fn begin<'c>(&self, method: &Method<'c>, plan: &mut Plan<'c>) -> Result<(), SkipReason> {
        let start = plan.entry.code.len();
        for (place, input) in method.inputs.iter().enumerate() {
            if self.passed.includes(place) {
                plan.entry.code.load(input.kind, input.slot);
            }
        }
        let target = plan.constants.pool.method(
            self.owner.as_bytes(),
            self.name.as_bytes(),
            self.descriptor.as_bytes(),
        )?;
        plan.entry.code.op_index(opcode::INVOKESTATIC, target);
        plan.find_locals(method)?;
        if self.guarded {
            plan.constants.throwable()?;
            plan.entry.guard_from(start)?;
        }
        plan.needs_stack(method.input_slots.max(1));
        Ok(())
    }

    fn end<'c>(&self, method: &Method<'c>, plan: &mut Plan<'c>) -> Result<(), SkipReason> {
        plan.before_throwing(method, |code, thrown, constants| {
            let target = constants.pool.method(
                self.owner.as_bytes(),
                self.name.as_bytes(),
                self.descriptor.as_bytes(),
            )?;
            code.load(Kind::Reference, thrown);
            code.op_index(opcode::INVOKESTATIC, target);
            Ok(())
        })
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
        self.call.begin(method, plan)
    }

    fn undo(&mut self, _method: &Method<'_>, why: &SkipReason) -> Option<SkipReason> {
        if let SkipReason::CannotPatch(defect) = why {
            self.defect = Some(defect.clone());
        }
        None
    }
}
