//! Where references on the operand stack come from, as far as a single forward pass can tell.
//!
//! The pass follows the code in the order of the file and carries the stack along forward branches. What it cannot tell
//! is [`Origin::Other`]; callers must be content with that.

use recrash_classfile::{ConstantPool, Error, Instruction, opcode, slots_of};

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

pub(crate) fn trace(method: &Method<'_>, pool: &ConstantPool<'_>) -> Result<Origins, Error> {
    let mut found = Origins::default();
    let mut stack: Vec<Origin> = Vec::with_capacity(method.code.max_stack as usize);
    let mut waiting: Vec<(i64, Vec<Origin>)> = Vec::new();
    for instruction in method.code.instructions() {
        let instruction = instruction?;
        meet(&mut stack, &mut waiting, instruction.pc as i64);
        step(&instruction, method, pool, &mut stack, &mut found)?;
        if !stack.is_empty() {
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
        Ok(if matches!(pool.member(index)?.descriptor, b"J" | b"D") {
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
            let (popped, pushed) = effect(other);
            pop(stack, popped);
            push(stack, pushed);
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
        && pool.member(instruction.index())?.name == b"<init>"
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

/// Slots popped and pushed by the instructions whose effect the opcode alone decides (JVMS 6.5).
fn effect(opcode: u8) -> (usize, usize) {
    match opcode {
        // Constants.
        1..=8 | 11..=13 | 16 | 17 => (0, 1),
        9 | 10 | 14 | 15 | 20 => (0, 2),
        // Loads.
        21 | 23 | 26..=29 | 34..=37 => (0, 1),
        22 | 24 | 30..=33 | 38..=41 => (0, 2),
        // Array loads.
        46 | 48 | 50..=53 => (2, 1),
        47 | 49 => (2, 2),
        // Stores.
        54 | 56 | 58 | 59..=62 | 67..=70 | 75..=78 => (1, 0),
        55 | 57 | 63..=66 | 71..=74 => (2, 0),
        // Array stores.
        79 | 81 | 83..=86 => (3, 0),
        80 | 82 => (4, 0),
        // Arithmetic: int and float, long and double by turns.
        96 | 98 | 100 | 102 | 104 | 106 | 108 | 110 | 112 | 114 => (2, 1),
        97 | 99 | 101 | 103 | 105 | 107 | 109 | 111 | 113 | 115 => (4, 2),
        116 | 118 => (1, 1),
        117 | 119 => (2, 2),
        120 | 122 | 124 | 126 | 128 | 130 => (2, 1),
        121 | 123 | 125 => (3, 2),
        127 | 129 | 131 => (4, 2),
        // Conversions.
        133 | 135 | 140 | 141 => (1, 2),
        134 | 139 | 145..=147 => (1, 1),
        136 | 137 | 142 | 144 => (2, 1),
        138 | 143 => (2, 2),
        // Comparisons.
        148 | 151 | 152 => (4, 1),
        149 | 150 => (2, 1),
        // Branches, switches, jsr.
        153..=158 | 170 | 171 | 198 | 199 => (1, 0),
        159..=166 => (2, 0),
        168 | 201 => (0, 1),
        // Returns end the path; athrow too.
        172 | 174 | 176 | 191 | 194 | 195 => (1, 0),
        173 | 175 => (2, 0),
        // new; arrays, arraylength, checkcast, instanceof.
        187 => (0, 1),
        188 | 189 | 190 | 192 | 193 => (1, 1),
        _ => (0, 0),
    }
}
