//! Where references on the operand stack come from, as far as a single forward pass can tell.
//!
//! The pass follows the code in the order of the file and carries the stack along forward branches. What it cannot tell
//! is [`Origin::Other`]; callers must be content with that.

use recrash_classfile::{ConstantPool, Error, Instruction, opcode, slots_of};

use crate::effect::EFFECTS;
use crate::method::Method;

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
    /// Every `putfield`: whose field, and the Fieldref. Each pair once.
    pub(crate) writes: Vec<(Origin, u16)>,
    /// Constructor calls on input 0: `super(...)` and `this(...)`.
    pub(crate) super_calls: Vec<usize>,
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
        if instruction.is_branch() && !stack.is_empty() {
            for target in instruction.targets() {
                if target > instruction.pc as i64 && !waiting.iter().any(|(pc, _)| *pc == target) {
                    waiting.push((target, stack.clone()));
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

/// Joins what falls through with what was carried here by a branch.
fn meet(stack: &mut Vec<Origin>, waiting: &mut Vec<(i64, Vec<Origin>)>, pc: i64) {
    let Some(at) = waiting.iter().position(|(target, _)| *target == pc) else {
        return;
    };
    let (_, carried) = waiting.swap_remove(at);
    if stack.len() == carried.len() {
        for (here, there) in stack.iter_mut().zip(carried) {
            if *here != there {
                *here = Origin::Other;
            }
        }
    } else {
        *stack = carried;
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
        opcode::GETSTATIC => push(stack, field_slots(instruction.index())?),
        opcode::PUTSTATIC => pop(stack, field_slots(instruction.index())?),
        opcode::GETFIELD => {
            pop(stack, 1);
            push(stack, field_slots(instruction.index())?);
        }
        opcode::PUTFIELD => {
            let value = field_slots(instruction.index())?;
            let write = (peek(stack, value), instruction.index());
            if !found.writes.contains(&write) {
                found.writes.push(write);
            }
            pop(stack, value + 1);
        }
        opcode::INVOKEVIRTUAL..=opcode::INVOKEDYNAMIC => call(instruction, pool, stack, found)?,
        opcode::LDC | opcode::LDC_W => push(stack, 1),
        opcode::MULTIANEWARRAY => {
            pop(
                stack,
                instruction.bytes.get(3).copied().unwrap_or(1) as usize,
            );
            push(stack, 1);
        }
        opcode::POP..=opcode::SWAP => shuffle(instruction.opcode, stack),
        other => {
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
