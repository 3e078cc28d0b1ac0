//! Constructors: where `super(...)` or `this(...)` is called, and what may be done on either side of it.
//!
//! HotSpot accepts no handler over the call itself: neither an initialised nor an uninitialised `this` fits its frame. So
//! there is a handler after it, another one before it, and for what happens inside, an announcement (`prologue.rs`).

use recrash_classfile::{Error, Frames, VerificationType, opcode};

use crate::method::Method;
use crate::origin::{Origins, trace};
use crate::scan::can_throw;
use crate::site::SkipReason;

/// The one call of `super(...)` or `this(...)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SuperCall {
    pub(crate) pc: usize,
    /// The next instruction.
    pub(crate) after: usize,
    /// Whether computing the arguments can throw.
    pub(crate) arguments_can_throw: bool,
    /// Whether the called constructor belongs to the application, so that a crash may well happen inside it.
    pub(crate) calls_application: bool,
}

/// `known` are the method's origins, if they were looked into before.
pub(crate) fn find(method: &Method<'_>, known: Option<&Origins>) -> Result<SuperCall, SkipReason> {
    let straight = method.scan.constructor_calls.first().filter(|&&call| {
        method.scan.first_new_or_branch.is_none_or(|at| at > call)
            && !method.scan.written.contains(0)
    });
    let pc = match straight {
        Some(&call) => call,
        None => {
            let traced = if known.is_none() {
                Some(trace(method)?)
            } else {
                None
            };
            match traced
                .as_ref()
                .or(known)
                .map(|origins| origins.super_calls.as_slice())
            {
                Some([call]) => *call,
                _ => return Err(SkipReason::UnclearSuperCall),
            }
        }
    };
    if !is_watershed(method, pc)? {
        return Err(SkipReason::UnclearSuperCall);
    }
    let (mut arguments_can_throw, mut calls_application, mut after) = (false, false, pc);
    for instruction in method.code.instructions() {
        let instruction = instruction?;
        if instruction.pc < pc {
            arguments_can_throw |= can_throw(instruction.opcode);
        } else {
            after = pc + instruction.bytes.len();
            let called = method.class.pool.member(instruction.index())?.class;
            calls_application = ![b"java/".as_slice(), b"javax/", b"jdk/"]
                .iter()
                .any(|jdk| called.starts_with(jdk));
            break;
        }
    }
    Ok(SuperCall {
        pc,
        after,
        arguments_can_throw,
        calls_application,
    })
}

/// Whether everything before `pc` in the file happens before the call, and everything after it, after.
fn is_watershed(method: &Method<'_>, pc: usize) -> Result<bool, Error> {
    if let Some(table) = method.stack_map {
        let mut frames = Frames::read(table, method.rough_locals())?;
        while let Some((at, frame)) = frames.next_frame()? {
            let not_yet = frame.locals.contains(&VerificationType::UninitializedThis);
            if at > pc && not_yet {
                return Ok(false);
            }
        }
    }
    for instruction in method.code.instructions() {
        let instruction = instruction?;
        let before = instruction.pc < pc;
        let crosses = |target: i64| (target <= pc as i64) != before;
        if matches!(
            instruction.opcode,
            opcode::JSR | opcode::JSR_W | opcode::RET
        ) && before
        {
            return Ok(false);
        }
        if before && instruction.targets().any(crosses) {
            return Ok(false);
        }
    }
    let crosses = |handler: recrash_classfile::Handler| {
        usize::from(handler.start) < pc
            && (usize::from(handler.target) > pc || usize::from(handler.end) > pc)
    };
    Ok(!method.code.handlers().any(crosses))
}
