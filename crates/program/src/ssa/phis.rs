//! Phis that say nothing are taken out; the others get the type of what meets in them.

use super::{Op, Ssa, Type, ValueId};
use crate::program::Program;

/// Replaces phis whose operands are one value and themselves (Braun et al., Simple and Efficient Construction of SSA Form).
pub(super) fn simplify(ssa: &mut Ssa) {
    let phis: Vec<ValueId> = ssa
        .blocks
        .iter()
        .flat_map(|block| block.phis.clone())
        .collect();
    if phis.is_empty() {
        return;
    }
    let mut same: Vec<ValueId> = (0..ssa.values.len() as u32).map(ValueId).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for &phi in &phis {
            if find(&mut same, phi) != phi {
                continue;
            }
            let Some(Op::Phi(operands)) = ssa.values.get(phi.0 as usize).map(|value| &value.op)
            else {
                continue;
            };
            let mut only = None;
            let mut trivial = true;
            for &operand in operands {
                let operand = find(&mut same, operand);
                if operand != phi && only.is_none_or(|known| known == operand) {
                    only = Some(operand);
                } else if operand != phi {
                    trivial = false;
                    break;
                }
            }
            if let Some(only) = only.filter(|_| trivial) {
                if let Some(place) = same.get_mut(phi.0 as usize) {
                    *place = only;
                }
                changed = true;
            }
        }
    }
    for value in &mut ssa.values {
        value
            .op
            .each_operand(&mut |operand| *operand = find(&mut same, *operand));
    }
    for block in &mut ssa.blocks {
        block.phis.retain(|&phi| find(&mut same, phi) == phi);
        block
            .end
            .each_operand(&mut |operand| *operand = find(&mut same, *operand));
    }
}

fn find(same: &mut [ValueId], mut value: ValueId) -> ValueId {
    loop {
        let next = same.get(value.0 as usize).copied().unwrap_or(value);
        if next == value {
            return value;
        }
        // Shortens the way for the next one that asks.
        let beyond = same.get(next.0 as usize).copied().unwrap_or(next);
        if let Some(place) = same.get_mut(value.0 as usize) {
            *place = beyond;
        }
        value = next;
    }
}

/// Types of phis, and of what is loaded from arrays, which follows from the type of the array.
pub(super) fn type_all(ssa: &mut Ssa, program: &Program) {
    let phis: Vec<ValueId> = ssa
        .blocks
        .iter()
        .flat_map(|block| block.phis.clone())
        .collect();
    if phis.is_empty() {
        return;
    }
    let loads = (0..).zip(&ssa.values).filter_map(|(id, value)| {
        let is_load = matches!(value.op, Op::ArrayLoad { .. }) && value.ty.is_reference();
        is_load.then_some(ValueId(id))
    });
    let open: Vec<ValueId> = phis.into_iter().chain(loads).collect();
    let mut types: Vec<Option<Type>> = ssa.values.iter().map(|value| Some(value.ty)).collect();
    for id in &open {
        if let Some(ty) = types.get_mut(id.0 as usize) {
            *ty = None;
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &id in &open {
            let known = |id: &ValueId| types.get(id.0 as usize).copied().flatten();
            let new = match ssa.value(id).map(|value| &value.op) {
                Some(Op::Phi(operands)) => operands
                    .iter()
                    .filter_map(known)
                    .reduce(|one, other| join(program, one, other)),
                Some(Op::ArrayLoad { array, .. }) => known(array).map(|ty| element(program, ty)),
                _ => None,
            };
            if let Some(ty) = types.get_mut(id.0 as usize)
                && *ty != new
            {
                *ty = new;
                changed = true;
            }
        }
    }
    for id in open {
        let ty = types.get(id.0 as usize).copied().flatten();
        if let Some(value) = ssa.values.get_mut(id.0 as usize) {
            value.ty = ty.unwrap_or(Type::Conflict);
        }
    }
}

/// What an array of references holds; an array of unknown type holds objects.
pub(super) fn element(program: &Program, array: Type) -> Type {
    match array {
        Type::Reference(class) => match program.class_name(class).split_first() {
            Some((b'[', element)) => Type::of(program, element),
            _ => Type::Reference(program.class_id(b"java/lang/Object")),
        },
        other => other,
    }
}

fn join(program: &Program, one: Type, other: Type) -> Type {
    match (one, other) {
        _ if one == other => one,
        (Type::Null, Type::Reference(_)) => other,
        (Type::Reference(_), Type::Null) => one,
        (Type::Reference(one), Type::Reference(other)) => {
            Type::Reference(program.hierarchy().common_superclass(one, other))
        }
        _ => Type::Conflict,
    }
}
