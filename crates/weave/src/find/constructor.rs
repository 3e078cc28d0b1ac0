//! Constructors: where `super(...)` or `this(...)` is called, and what may be done on either side of it.
//!
//! HotSpot accepts no handler over the call itself: neither an initialised nor an uninitialised `this` fits its frame. So
//! there is a handler after it and another one before it; what is inside, the runtime finds on the stack when an
//! exception leaves the constructor called there (`$RecrashOuterConstructor`).

use recrash_classfile::{Error, Frames, VerificationType, opcode};

use crate::find::heights::Heights;
use crate::find::method::Method;
use crate::find::origin::Origins;
use crate::find::tracer::trace;
use crate::reason::SkipReason;

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
pub(crate) fn find(
    method: &Method<'_>,
    known: Option<&Origins>,
    heights: &mut Heights,
) -> Result<SuperCall, SkipReason> {
    let pc = super_call_pc(method, known, heights)?;
    let (mut arguments_can_throw, mut crosses) = (false, frames_disagree(method, pc)?);
    for instruction in method.code.instructions() {
        let instruction = instruction?;
        if instruction.pc < pc {
            arguments_can_throw |= opcode::can_throw(instruction.opcode);
            crosses |= matches!(
                instruction.opcode,
                opcode::JSR | opcode::JSR_W | opcode::RET
            );
            crosses |=
                instruction.is_branch() && instruction.targets().any(|target| target > pc as i64);
            continue;
        }
        crosses |= method.code.handlers().any(|handler| {
            usize::from(handler.start) < pc
                && (usize::from(handler.target) > pc || usize::from(handler.end) > pc)
        });
        if crosses {
            break;
        }
        let called = method.class.pool.member(instruction.index())?.class;
        let jdk = [b"java/".as_slice(), b"javax/", b"jdk/"];
        return Ok(SuperCall {
            pc,
            after: pc + instruction.bytes.len(),
            arguments_can_throw,
            calls_application: !jdk.iter().any(|prefix| called.starts_with(prefix)),
        });
    }
    // Some of what happens before the call stands after it in the file: one range cannot cover either side.
    Err(SkipReason::UnclearSuperCall)
}

fn super_call_pc(
    method: &Method<'_>,
    known: Option<&Origins>,
    heights: &mut Heights,
) -> Result<usize, SkipReason> {
    let scan = &method.scan;
    if let Some(&first) = scan.constructor_calls.first()
        && scan.first_new_or_branch.is_none_or(|at| at > first)
        && !scan.written.contains(0)
    {
        return Ok(first);
    }
    let traced = if known.is_none() {
        Some(trace(method, &[], heights)?)
    } else {
        None
    };
    match traced
        .as_ref()
        .or(known)
        .map(|origins| origins.super_calls.as_slice())
    {
        Some([call]) => Ok(*call),
        _ => Err(SkipReason::UnclearSuperCall),
    }
}

/// Whether the stack map says that `this` is initialised after the call and nowhere before it. The verifier's idea of "not
/// yet" hangs on local 0 alone, so it must still be there.
fn frames_disagree(method: &Method<'_>, pc: usize) -> Result<bool, Error> {
    if method.scan.written.contains(0) {
        return Ok(true);
    }
    let Some(table) = method.stack_map else {
        return Ok(false);
    };
    let mut frames = Frames::read(table, method.rough_locals())?;
    while let Some((at, frame)) = frames.next_frame()? {
        let not_yet = frame.locals.first() == Some(&VerificationType::UninitializedThis);
        if not_yet != (at <= pc) {
            return Ok(true);
        }
    }
    Ok(false)
}
