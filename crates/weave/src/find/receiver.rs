//! The writes of methods that can only write to their receiver: most setters and the like, without following the stack.

use recrash_classfile::{Error, Parameters, opcode};

use crate::find::method::Method;
use crate::find::origin::{Origin, Origins, Write};

/// What `trace` finds of methods that write fields of their own class only and are given no other object of it: what they write is
/// taken for the receiver's, and only what can be thrown afterwards needs a look at the code.
pub(crate) fn trace_receiver(method: &Method<'_>) -> Result<Origins, Error> {
    let mut found = Origins::default();
    for &(index, pc) in &method.scan.puts {
        let write = Write::new(Origin::Input(0), index, pc);
        found.writes.push(write);
    }
    let mut instructions = method.code.instructions();
    let mut this_loaded = usize::MAX;
    while let Some(instruction) = instructions.find_next(&THROWS_OR_BRANCHES).1 {
        let instruction = instruction?;
        let pc = instruction.pc;
        match instruction.opcode {
            opcode::ALOAD_0 => this_loaded = pc,
            opcode::PUTFIELD => {}
            // The receiver is never null.
            opcode::GETFIELD if this_loaded.wrapping_add(1) == pc => {}
            other if opcode::can_throw(other) => found.last_throw = pc,
            _ => {
                let back =
                    |target: i64| usize::try_from(target).ok().filter(|&target| target <= pc);
                found.loops.extend(
                    instruction
                        .targets()
                        .filter_map(back)
                        .map(|target| (pc, target)),
                );
            }
        }
    }
    Ok(found)
}

/// Whether [`trace_receiver`] says the same as `trace` would.
pub(crate) fn only_receiver_is_written(method: &Method<'_>) -> Result<bool, Error> {
    let class = method.class;
    for &(index, _) in &method.scan.puts {
        if class.pool.class_of(index)? != class.this_index {
            return Ok(false);
        }
    }
    for parameter in Parameters::of(method.member.descriptor) {
        if parameter?.class_name() == class.name {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What [`trace_receiver`] looks at.
const THROWS_OR_BRANCHES: [bool; 256] = {
    let mut wanted = [false; 256];
    let mut opcode = 0;
    #[allow(
        clippy::indexing_slicing,
        reason = "evaluated by the compiler, which would refuse a bad index"
    )]
    while opcode < 256 {
        wanted[opcode] = opcode::can_throw(opcode as u8)
            || matches!(opcode as u8, opcode::ALOAD_0 | opcode::IFEQ..=opcode::JSR | opcode::IFNULL..=opcode::JSR_W);
        opcode += 1;
    }
    wanted
};
