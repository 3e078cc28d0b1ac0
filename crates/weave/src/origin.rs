//! Where references on the operand stack come from, as far as a single forward pass can tell.
//!
//! The pass follows the code in the order of the file and carries the stack along forward branches. What it cannot tell
//! is [`Origin::Other`]; callers must be content with that.

use recrash_classfile::{ConstantPool, Error, Instruction, opcode, slots_of};

use crate::effect::EFFECTS;
use crate::method::Method;
use crate::scan::can_throw;

/// What a stack slot holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    Other,
    /// The value an input had on entry (index into `Method::inputs`).
    Input(u16),
}

/// What the pass saw.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    /// Every `putfield`, each pair of origin and field once, at its first place.
    pub(crate) writes: Vec<Write>,
    /// Constructor calls on input 0: `super(...)` and `this(...)`.
    pub(crate) super_calls: Vec<usize>,
    /// The last instruction that can throw, `this.field` not counted.
    last_throw: usize,
    /// Branches backwards: from where, to where.
    loops: Vec<(usize, usize)>,
}

/// A write to a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Write {
    /// Whose field it is.
    pub(crate) origin: Origin,
    /// The Fieldref.
    pub(crate) index: u16,
    pc: usize,
}

impl Origins {
    /// Whether anything can be thrown once the field is written: if not, no handler ever sees the new value.
    pub(crate) fn may_throw_after(&self, write: &Write) -> bool {
        let around = |&(from, to): &(usize, usize)| {
            from > write.pc && to <= write.pc && self.last_throw >= to
        };
        self.last_throw > write.pc || self.loops.iter().any(around)
    }

    /// A field access throws when the object is null, which the receiver never is.
    fn note_throw(&mut self, pc: usize, object: Origin, method: &Method<'_>) {
        if !(method.has_receiver && object == Origin::Input(0)) {
            self.last_throw = pc;
        }
    }
}

pub(crate) fn trace(method: &Method<'_>) -> Result<Origins, Error> {
    let pool = &method.class.pool;
    let mut found = Origins::default();
    let mut stack: Vec<Origin> = Vec::with_capacity(method.code.max_stack as usize);
    let mut waiting: Vec<(i64, Vec<Origin>)> = Vec::new();
    for instruction in method.code.instructions() {
        let instruction = instruction?;
        meet(&mut stack, &mut waiting, instruction.pc as i64);
        step(&instruction, method, pool, &mut stack, &mut found)?;
        if instruction.is_branch() {
            for target in instruction.targets() {
                match usize::try_from(target) {
                    Ok(target) if target <= instruction.pc => {
                        found.loops.push((instruction.pc, target));
                    }
                    _ if stack.is_empty() => {}
                    _ => carry(&stack, &mut waiting, target),
                }
            }
        }
        if matches!(
            instruction.opcode,
            opcode::GOTO | opcode::RET..=opcode::RETURN | opcode::ATHROW | opcode::GOTO_W
        ) {
            stack.clear();
        }
    }
    Ok(found)
}

/// Remembers the stack for the target of a branch, joined with what other branches bring there.
fn carry(stack: &[Origin], waiting: &mut Vec<(i64, Vec<Origin>)>, target: i64) {
    match waiting.iter_mut().find(|(pc, _)| *pc == target) {
        Some((_, carried)) => join(carried, stack),
        None => waiting.push((target, stack.to_vec())),
    }
}

/// Joins what falls through with what was carried here by branches.
fn meet(stack: &mut Vec<Origin>, waiting: &mut Vec<(i64, Vec<Origin>)>, pc: i64) {
    if let Some(at) = waiting.iter().position(|(target, _)| *target == pc) {
        let (_, mut carried) = waiting.swap_remove(at);
        // After a jump nothing falls through.
        if !stack.is_empty() {
            join(&mut carried, stack);
        }
        *stack = carried;
    }
}

/// Keeps only what both sides agree on.
fn join(here: &mut [Origin], there: &[Origin]) {
    for (place, origin) in here.iter_mut().enumerate() {
        if there.get(place) != Some(origin) {
            *origin = Origin::Other;
        }
    }
}

fn pop(stack: &mut Vec<Origin>, slots: usize) {
    stack.truncate(stack.len().saturating_sub(slots));
}

fn push(stack: &mut Vec<Origin>, slots: usize) {
    stack.resize(stack.len() + slots, Origin::Other);
}

/// The value that lies under `above` other slots.
fn peek(stack: &[Origin], above: usize) -> Origin {
    stack
        .len()
        .checked_sub(above + 1)
        .and_then(|at| stack.get(at))
        .copied()
        .unwrap_or(Origin::Other)
}

fn step(
    instruction: &Instruction<'_>,
    method: &Method<'_>,
    pool: &ConstantPool<'_>,
    stack: &mut Vec<Origin>,
    found: &mut Origins,
) -> Result<(), Error> {
    let field_slots = |index| -> Result<usize, Error> {
        Ok(if matches!(pool.descriptor_of(index)?, b"J" | b"D") {
            2
        } else {
            1
        })
    };
    match instruction.opcode {
        opcode::ALOAD | opcode::ALOAD_0..=opcode::ALOAD_3 => {
            let slot = instruction.local();
            let input = method.inputs.iter().position(|input| {
                Some(input.slot) == slot && !method.scan.written.contains(input.slot)
            });
            stack.push(input.map_or(Origin::Other, |input| Origin::Input(input as u16)));
        }
        opcode::GETSTATIC => {
            found.last_throw = instruction.pc;
            push(stack, field_slots(instruction.index())?);
        }
        opcode::PUTSTATIC => {
            found.last_throw = instruction.pc;
            pop(stack, field_slots(instruction.index())?);
        }
        opcode::GETFIELD => {
            found.note_throw(instruction.pc, peek(stack, 0), method);
            pop(stack, 1);
            push(stack, field_slots(instruction.index())?);
        }
        opcode::PUTFIELD => {
            let value = field_slots(instruction.index())?;
            let write = Write {
                origin: peek(stack, value),
                index: instruction.index(),
                pc: instruction.pc,
            };
            let known = |other: &Write| other.origin == write.origin && other.index == write.index;
            if !found.writes.iter().any(known) {
                found.writes.push(write);
            }
            found.note_throw(instruction.pc, write.origin, method);
            pop(stack, value + 1);
        }
        opcode::INVOKEVIRTUAL..=opcode::INVOKEDYNAMIC => call(instruction, pool, stack, found)?,
        opcode::LDC | opcode::LDC_W => push(stack, 1),
        opcode::MULTIANEWARRAY => {
            found.last_throw = instruction.pc;
            pop(
                stack,
                instruction.bytes.get(3).copied().unwrap_or(1) as usize,
            );
            push(stack, 1);
        }
        opcode::POP..=opcode::SWAP => shuffle(instruction.opcode, stack),
        other => {
            if can_throw(other) {
                found.last_throw = instruction.pc;
            }
            let (popped, pushed) = EFFECTS.get(usize::from(other)).copied().unwrap_or((0, 0));
            pop(stack, usize::from(popped));
            push(stack, usize::from(pushed));
        }
    }
    Ok(())
}

fn call(
    instruction: &Instruction<'_>,
    pool: &ConstantPool<'_>,
    stack: &mut Vec<Origin>,
    found: &mut Origins,
) -> Result<(), Error> {
    let descriptor = pool.descriptor_of(instruction.index())?;
    let (arguments, result) =
        slots_of(descriptor).ok_or_else(|| Error::BadInstruction { pc: instruction.pc })?;
    found.last_throw = instruction.pc;
    let has_receiver = !matches!(
        instruction.opcode,
        opcode::INVOKESTATIC | opcode::INVOKEDYNAMIC
    );
    if instruction.opcode == opcode::INVOKESPECIAL
        && peek(stack, arguments as usize) == Origin::Input(0)
        && pool.name_of(instruction.index())? == b"<init>"
    {
        found.super_calls.push(instruction.pc);
    }
    pop(stack, arguments as usize + usize::from(has_receiver));
    push(stack, result as usize);
    Ok(())
}

/// pop, pop2, the dup family and swap, slot by slot.
fn shuffle(opcode: u8, stack: &mut Vec<Origin>) {
    let top = |stack: &[Origin], above| peek(stack, above);
    let (a, b, c, d) = (top(stack, 0), top(stack, 1), top(stack, 2), top(stack, 3));
    // What is taken off, and what is put back, lowest first.
    let (popped, pushed): (usize, &[Origin]) = match opcode {
        opcode::POP => (1, &[]),
        opcode::DUP => (1, &[a, a]),
        opcode::DUP_X1 => (2, &[a, b, a]),
        opcode::DUP_X2 => (3, &[a, c, b, a]),
        opcode::DUP2 => (2, &[b, a, b, a]),
        opcode::DUP2_X1 => (3, &[b, a, c, b, a]),
        opcode::DUP2_X2 => (4, &[b, a, d, c, b, a]),
        opcode::SWAP => (2, &[a, b]),
        // pop2
        _ => (2, &[]),
    };
    pop(stack, popped);
    stack.extend_from_slice(pushed);
}
