//! Carries out a plan: the one place where a method's code is put together.
//!
//! Instructions, branches, stack maps and tables move with what is put in front of them. Everything is checked on the way: what
//! does not fit is an error, and the method stays as it was.

use recrash_classfile::{Catch, CodePatch, Entry, Frame, Insertion, Position, VerificationType};

use crate::find::method::Method;
use crate::plan::{Placed, Plan};
use crate::reason::SkipReason;

/// Writes the new content of the method's Code attribute.
pub(crate) fn emit(
    plan: &mut Plan<'_>,
    method: &Method<'_>,
    out: &mut Vec<u8>,
) -> Result<(), SkipReason> {
    let entry = entry(plan, method)?;
    let mut patch = std::mem::take(&mut plan.patch);
    let written = fill(plan, method, &mut patch).and_then(|()| {
        let old = method.code.bytes.len();
        let inserted = patch.insertions.iter().map(|added| added.code.len());
        let added = inserted.sum::<usize>() + patch.appended.len();
        if plan
            .longest
            .is_some_and(|most| old <= most && old + added > most)
        {
            return Err(SkipReason::TooLongToCompile);
        }
        let mut code = method.code;
        let replaced = replaced(plan, code.bytes);
        code.bytes = replaced.as_deref().unwrap_or(code.bytes);
        Ok(patch.apply(&code, entry, &mut plan.constants.pool, out)?)
    });
    plan.patch = patch;
    written
}

/// What the stack map starts from, in a method whose code moves or not.
fn entry(plan: &mut Plan<'_>, method: &Method<'_>) -> Result<Entry, SkipReason> {
    Ok(match (method.class.major >= 50, plan.is_unmoved()) {
        (false, _) => Entry::NoFrames,
        (true, true) => Entry::Unmoved {
            last_frame: method.last_frame,
        },
        (true, false) => Entry::Locals(plan.locals_on_entry(method)?.to_vec()),
    })
}

/// The plan as one patch.
fn fill(plan: &mut Plan<'_>, method: &Method<'_>, patch: &mut CodePatch) -> Result<(), SkipReason> {
    for &kind in &plan.entry.added {
        patch.new_locals.push(plan.constants.kept_as(kind)?);
    }
    if !plan.entry.code.is_empty() || !plan.leaps.code.is_empty() {
        on_entry(plan, method, patch)?;
    }
    pieces(plan, method, patch);
    handlers(plan, method, patch);
    Ok(())
}

fn on_entry(
    plan: &mut Plan<'_>,
    method: &Method<'_>,
    patch: &mut CodePatch,
) -> Result<(), SkipReason> {
    let leaps_at = plan.entry.code.len();
    let length = leaps_at + plan.leaps.code.len();
    let place = |offset| {
        if offset == length {
            Position::Instruction(0)
        } else {
            Position::Inserted(0, offset)
        }
    };
    let mut landings = std::mem::take(&mut plan.entry.landings);
    landings.dedup();
    let all = plan.entry.added.len();
    let leaps = plan.leaps.landings.iter();
    landings.extend(leaps.map(|offset| (leaps_at + offset, all)));
    for (offset, added) in landings {
        let locals = locals_in_entry(plan, method, added)?;
        patch.place_frame(place(offset), locals, None);
    }
    for guard in std::mem::take(&mut plan.entry.guards) {
        let throwable = plan.constants.throwable()?;
        let locals = locals_in_entry(plan, method, guard.added)?;
        let target = Position::Inserted(0, guard.caught);
        patch.place_frame(target, locals, Some(throwable));
        patch.catches.push(Catch {
            start: Position::Inserted(0, guard.start),
            end: Position::Inserted(0, guard.end),
            target,
            catch_type: 0,
        });
    }
    for &(offset, pc) in &plan.leaps.branches {
        let from = Position::Inserted(0, leaps_at + offset);
        patch.branches.push((from, Position::Instruction(pc)));
    }
    for (pc, frame) in &plan.leaps.frames {
        place_in_body(Position::Instruction(*pc), frame, method, patch);
    }
    let leaps = std::mem::take(&mut plan.leaps.code);
    plan.entry.code.append(leaps);
    patch.insertions.push(Insertion {
        pc: 0,
        code: plan.entry.code.bytes().to_vec(),
        joined: false,
    });
    Ok(())
}

fn locals_in_entry(
    plan: &mut Plan<'_>,
    method: &Method<'_>,
    added: usize,
) -> Result<Vec<VerificationType>, SkipReason> {
    // Without a stack map nobody looks at frames.
    let mut locals = Vec::new();
    if method.class.major >= 50 {
        locals.extend_from_slice(plan.locals_on_entry(method)?);
        plan.with_added(&mut locals, method, added)?;
    }
    Ok(locals)
}

/// A frame in the method's own code, where all added variables have their values.
fn place_in_body(at: Position, frame: &Frame, method: &Method<'_>, patch: &mut CodePatch) {
    let mut locals = frame.locals.clone();
    if !patch.new_locals.is_empty() {
        let used = locals.iter().map(|local| local.slots()).sum::<usize>();
        let gap = usize::from(method.code.max_locals).saturating_sub(used);
        locals.extend(std::iter::repeat_n(VerificationType::Top, gap));
        locals.extend_from_slice(&patch.new_locals);
    }
    patch.place_frame(at, locals, frame.stack.iter().copied());
}

/// One insertion for all that passes put in one place, in their order.
fn pieces(plan: &mut Plan<'_>, method: &Method<'_>, patch: &mut CodePatch) {
    plan.pieces.sort_by_key(|placed| (placed.pc, placed.joined));
    for placed in plan.pieces.drain(..) {
        let Placed { pc, joined, piece } = placed;
        let here = patch.insertions.iter().rev();
        let before = here
            .take_while(|added| added.pc == pc)
            .map(|added| added.code.len())
            .sum::<usize>();
        for (offset, frame) in &piece.frames {
            let at = Position::Inserted(pc, before + offset);
            place_in_body(at, frame, method, patch);
        }
        let code = piece.code.into_bytes();
        match patch.insertions.last_mut() {
            Some(last) if last.pc == pc && last.joined == joined => last.code.extend(code),
            _ => patch.insertions.push(Insertion { pc, code, joined }),
        }
    }
}

/// Later passes first: what they rethrow, earlier ones catch.
fn handlers(plan: &Plan<'_>, method: &Method<'_>, patch: &mut CodePatch) {
    let end = Position::Boundary(method.code.bytes.len());
    for pass in (1..=plan.appended.len()).rev() {
        for &(_, catch) in plan.catches.iter().filter(|(of, _)| *of == pass) {
            patch.catches.push(catch);
            if catch.end != end {
                continue;
            }
            let inner = plan.appended.iter().skip(pass);
            patch
                .catches
                .extend(inner.filter(|code| !code.is_empty()).map(|code| Catch {
                    start: Position::Appended(code.start),
                    end: Position::Appended(code.end),
                    ..catch
                }));
        }
    }
}

/// The old code with the instructions that were exchanged; `None` where all are as they were.
fn replaced(plan: &Plan<'_>, code: &[u8]) -> Option<Vec<u8>> {
    if plan.replaced.is_empty() {
        return None;
    }
    let mut bytes = code.to_vec();
    for &(pc, with) in &plan.replaced {
        if let Some(instruction) = bytes.get_mut(pc..pc + with.len()) {
            instruction.copy_from_slice(&with);
        }
    }
    Some(bytes)
}
