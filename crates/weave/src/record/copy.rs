//! Which of its inputs a method copies on entry, with [`crate::Strategy::Copy`] (paper 2.2.1).
//!
//! What the method cannot change is not copied: immutable kinds, and everything in methods that write nothing and call
//! nothing which could.

use std::num::NonZeroU32;

use recrash_classfile::{Error, Instruction, MemberRef, Parameters, Type, opcode};

use crate::find::method::Method;
use crate::strategy::Copying;

/// What the code on entry hands to `java.lang.$RecrashCopy`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Copied {
    /// The slots of the inputs.
    pub(crate) slots: Vec<u16>,
    /// References to follow, 0 for all.
    pub(crate) depth: u32,
    /// Names of the fields that the code uses, each followed by a semicolon, where they lead one level deeper.
    pub(crate) used: Option<Vec<u8>>,
}

/// The runtime copies on behalf of the program with these, so they must not copy in turn.
const RUNTIME_NEEDS: [&[u8]; 3] = [b"java/", b"jdk/", b"sun/"];

/// Objects of these classes never change, and none can be extended.
const IMMUTABLE: [&[u8]; 10] = [
    b"java/lang/String",
    b"java/lang/Integer",
    b"java/lang/Long",
    b"java/lang/Short",
    b"java/lang/Byte",
    b"java/lang/Character",
    b"java/lang/Boolean",
    b"java/lang/Float",
    b"java/lang/Double",
    b"java/lang/Class",
];

/// `None` where there is nothing to copy.
pub(crate) fn choose(method: &Method<'_>, copying: Copying) -> Result<Option<Copied>, Error> {
    let class = method.class;
    if RUNTIME_NEEDS
        .iter()
        .any(|prefix| class.name.starts_with(prefix))
        || !changes_anything(method)?
    {
        return Ok(None);
    }
    let mut slots = Vec::new();
    let receiver = method.has_receiver.then_some(false);
    let parameters = Parameters::of(method.member.descriptor)
        .map(|parameter| parameter.map(|parameter| is_immutable(parameter)));
    let immutable = receiver.map(Ok).into_iter().chain(parameters);
    for (number, (input, immutable)) in method.inputs.iter().zip(immutable).enumerate() {
        // The receiver of a constructor is nothing yet.
        let unborn = number == 0 && method.is_constructor;
        if !immutable? && !unborn {
            slots.push(input.slot);
        }
    }
    let used = if copying.used_fields {
        Some(used_fields(method)?).filter(|names| !names.is_empty())
    } else {
        None
    };
    Ok((!slots.is_empty()).then_some(Copied {
        slots,
        depth: copying.depth.map_or(0, NonZeroU32::get),
        used,
    }))
}

fn is_immutable(parameter: Type<'_>) -> bool {
    !matches!(parameter.descriptor.first(), Some(b'L' | b'['))
        || IMMUTABLE.contains(&parameter.class_name())
}

/// Whether the code writes to an object or an array, or calls what may do so.
fn changes_anything(method: &Method<'_>) -> Result<bool, Error> {
    for instruction in method.code.instructions() {
        let instruction = instruction?;
        let changes = match instruction.opcode {
            opcode::PUTFIELD | opcode::IASTORE..=opcode::SASTORE | opcode::INVOKEDYNAMIC => true,
            opcode::INVOKEVIRTUAL..=opcode::INVOKEINTERFACE => {
                !only_computes(&called(method, &instruction)?)?
            }
            _ => false,
        };
        if changes {
            return Ok(true);
        }
    }
    Ok(false)
}

fn called<'a>(method: &Method<'a>, instruction: &Instruction<'_>) -> Result<MemberRef<'a>, Error> {
    method.class.pool.member(instruction.index())
}

/// Methods of immutable classes that are given nothing whose methods they could call.
fn only_computes(called: &MemberRef<'_>) -> Result<bool, Error> {
    if !IMMUTABLE.contains(&called.class) && called.class != b"java/lang/Math" {
        return Ok(false);
    }
    if called.name == b"equals" {
        return Ok(true);
    }
    for parameter in Parameters::of(called.descriptor) {
        if !is_immutable(parameter?) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn used_fields(method: &Method<'_>) -> Result<Vec<u8>, Error> {
    let mut names: Vec<&[u8]> = Vec::new();
    for instruction in method.code.instructions() {
        let instruction = instruction?;
        if matches!(instruction.opcode, opcode::GETFIELD | opcode::PUTFIELD) {
            let field = called(method, &instruction)?;
            if matches!(field.descriptor.first(), Some(b'L' | b'[')) && !names.contains(&field.name)
            {
                names.push(field.name);
            }
        }
    }
    let mut list = names.join(b";".as_slice());
    if !list.is_empty() {
        list.push(b';');
    }
    Ok(list)
}
