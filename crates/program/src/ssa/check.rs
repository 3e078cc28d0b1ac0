//! Whether an SSA form keeps its promises. Nothing relies on this at run time; tests hold it against real jars.

use super::{End, Op, Ssa, Type, ValueId};
use crate::cfg::BlockId;
use crate::graph::{Dominators, Graph};
use crate::program::Program;

pub(super) fn defects(ssa: &Ssa, program: &Program) -> Vec<String> {
    let mut checker = Checker {
        ssa,
        program,
        dominators: Dominators::of(&graph(ssa), 0),
        place: vec![None; ssa.values.len()],
        found: Vec::new(),
    };
    checker.places();
    checker.uses();
    checker.found
}

fn graph(ssa: &Ssa) -> Graph {
    let edges = ssa.blocks.iter().map(|block| {
        let handlers = block.handlers.iter().map(|(block, _)| block.0);
        let next = block.successors.iter().map(|block| block.0);
        next.chain(handlers).collect()
    });
    Graph::new(edges.collect())
}

struct Checker<'a> {
    ssa: &'a Ssa,
    program: &'a Program,
    dominators: Dominators,
    /// By value: its block and its position in it, phis at 0.
    place: Vec<Option<(BlockId, usize)>>,
    found: Vec<String>,
}

impl Checker<'_> {
    fn defect(&mut self, text: String) {
        self.found.push(text);
    }

    /// Every value is made in one place.
    fn places(&mut self) {
        for (number, block) in (0..).zip(&self.ssa.blocks) {
            let id = BlockId(number);
            let phis = block.phis.iter().map(|&phi| (phi, 0));
            let rest = (1..)
                .zip(&block.instructions)
                .map(|(at, &value)| (value, at));
            for (value, at) in phis.chain(rest) {
                let Some(place) = self.place.get_mut(value.0 as usize) else {
                    self.defect(format!("{value:?} does not exist"));
                    continue;
                };
                if place.replace((id, at)).is_some() {
                    self.defect(format!("{value:?} is made twice"));
                }
                if self.ssa.value(value).is_some_and(|value| value.block != id) {
                    self.defect(format!("{value:?} lies about its block"));
                }
            }
        }
    }

    /// Every use comes after its definition on every way, and gets what it wants.
    fn uses(&mut self) {
        let ssa = self.ssa;
        for (number, block) in (0..).zip(&ssa.blocks) {
            let id = BlockId(number);
            for &phi in &block.phis {
                let Some(Op::Phi(operands)) = ssa.value(phi).map(|value| &value.op) else {
                    self.defect(format!("{phi:?} is no phi"));
                    continue;
                };
                if operands.len() != block.predecessors.len() {
                    self.defect(format!("{phi:?} has not one operand per way in"));
                }
                for (&operand, edge) in operands.iter().zip(&block.predecessors) {
                    // On an exceptional edge a value of the block itself may not be there yet.
                    let until = if edge.exceptional { 1 } else { usize::MAX };
                    self.available(operand, edge.from, until);
                }
            }
            for (at, &value) in (1..).zip(&block.instructions) {
                let Some(made) = ssa.value(value) else {
                    continue;
                };
                for operand in made.op.operands() {
                    self.available(operand, id, at);
                }
                self.operation(&made.op);
            }
            for operand in block.end.operands() {
                self.available(operand, id, usize::MAX);
            }
            self.end(&block.end, block.successors.len());
        }
    }

    fn available(&mut self, value: ValueId, block: BlockId, until: usize) {
        let there = match self.place.get(value.0 as usize).copied().flatten() {
            Some((made, at)) if made == block => at < until,
            Some((made, _)) => self.dominators.dominates(made.0, block.0),
            None => false,
        };
        if !there {
            self.defect(format!("{value:?} is used in {block:?} before it is made"));
        }
    }

    fn expect(&mut self, value: ValueId, wanted: Type, what: &str) {
        let Some(found) = self.ssa.value(value).map(|value| value.ty) else {
            return;
        };
        let fits = match wanted {
            Type::Reference(_) | Type::Null => found.is_reference(),
            _ => found == wanted,
        };
        if !fits {
            self.defect(format!("{what} gets {found:?} where {wanted:?} belongs"));
        }
    }

    fn operation(&mut self, op: &Op) {
        match op {
            Op::GetField { object, .. } => self.expect(*object, Type::Null, "getfield"),
            Op::PutField {
                field,
                object,
                value,
            } => {
                self.expect(*object, Type::Null, "putfield");
                self.field_value(field.selector, *value);
            }
            Op::PutStatic { field, value } => self.field_value(field.selector, *value),
            Op::ArrayLoad { array, index, .. } | Op::ArrayStore { array, index, .. } => {
                self.expect(*array, Type::Null, "an array access");
                self.expect(*index, Type::Int, "an array index");
            }
            Op::ArrayLength(value)
            | Op::Cast { value, .. }
            | Op::InstanceOf { value, .. }
            | Op::Monitor { value, .. } => self.expect(*value, Type::Null, "an object operation"),
            Op::NewArray { lengths, .. } => {
                for length in lengths {
                    self.expect(*length, Type::Int, "an array length");
                }
            }
            Op::Invoke {
                method, arguments, ..
            } => {
                let Some(selector) = self.program.selector(method.selector) else {
                    return;
                };
                let Ok(types) = recrash_classfile::MethodType::read(&selector.descriptor) else {
                    return self.defect("a call has a bad descriptor".to_owned());
                };
                // The receiver, where there is one, comes before what the descriptor lists.
                for (parameter, &argument) in
                    types.parameters.iter().rev().zip(arguments.iter().rev())
                {
                    let wanted = Type::of(self.program, parameter.descriptor);
                    self.expect(argument, wanted, "a call");
                }
            }
            Op::Arithmetic { left, .. }
                if self
                    .ssa
                    .value(*left)
                    .is_some_and(|value| value.ty.is_reference()) =>
            {
                self.defect("arithmetic on a reference".to_owned());
            }
            _ => {}
        }
    }

    fn field_value(&mut self, selector: crate::ids::SelectorId, value: ValueId) {
        if let Some(selector) = self.program.selector(selector) {
            let wanted = Type::of(self.program, &selector.descriptor);
            self.expect(value, wanted, "a field");
        }
    }

    fn end(&mut self, end: &End, successors: usize) {
        let expected = match end {
            End::Jump => 1,
            End::If { .. } => 2,
            End::Switch { key, keys } => {
                self.expect(*key, Type::Int, "a switch");
                keys.len() + 1
            }
            End::Return(_) => 0,
            End::Throw(value) => {
                self.expect(*value, Type::Null, "a throw");
                0
            }
        };
        if expected != successors {
            self.defect(format!("{end:?} has {successors} successors"));
        }
    }
}
