//! Which methods put what they are given, or a constant, into which field: how a wanted state is made by calls.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use recrash_program::{Constant, InvokeKind, MethodId, Op, Program, SelectorId, Ssa, ValueId};

/// Constructors that hand on to others are followed so far.
const DEEPEST: usize = 3;

/// Where a field's new value comes from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum From {
    /// A parameter, counted from 0 without the receiver.
    Parameter(usize),
    Int(i32),
    Null,
}

/// Field by name and type, and what it gets.
pub(crate) type Puts = Vec<(SelectorId, From)>;

#[derive(Default)]
pub(crate) struct Setters {
    known: RefCell<HashMap<MethodId, Arc<Puts>>>,
}

impl Setters {
    /// Of the receiver's own fields.
    pub(crate) fn of(&self, program: &Program, method: MethodId) -> Arc<Puts> {
        if let Some(known) = self.known.borrow().get(&method) {
            return Arc::clone(known);
        }
        let found = Arc::new(puts(program, method, DEEPEST));
        self.known.borrow_mut().insert(method, Arc::clone(&found));
        found
    }
}

fn puts(program: &Program, method: MethodId, depth: usize) -> Puts {
    let mut found = Puts::new();
    let Ok(Some(ssa)) = Ssa::of(program, method) else {
        return found;
    };
    for value in &ssa.values {
        match &value.op {
            Op::PutField {
                field,
                object,
                value,
            } if parameter(&ssa, *object) == Some(0) => {
                found.extend(from(&ssa, *value).map(|from| (field.selector, from)));
            }
            Op::Invoke {
                kind: InvokeKind::Special,
                method: called,
                arguments,
            } if depth > 0 => {
                let own = arguments.first().and_then(|first| parameter(&ssa, *first));
                let resolved = program
                    .hierarchy()
                    .resolve_method(called.class, called.selector);
                let (Some(0), Some(resolved)) = (own, resolved) else {
                    continue;
                };
                for (field, inner) in puts(program, resolved.id, depth - 1) {
                    let outer = match inner {
                        From::Parameter(number) => arguments
                            .get(number + 1)
                            .and_then(|argument| from(&ssa, *argument)),
                        constant => Some(constant),
                    };
                    found.extend(outer.map(|outer| (field, outer)));
                }
            }
            _ => {}
        }
    }
    found
}

fn from(ssa: &Ssa, value: ValueId) -> Option<From> {
    match &ssa.values.get(value.0 as usize)?.op {
        Op::Parameter(number) => Some(From::Parameter(usize::from(number.checked_sub(1)?))),
        Op::Constant(Constant::Int(number)) => Some(From::Int(*number)),
        Op::Constant(Constant::Null) => Some(From::Null),
        Op::Cast { value, .. } => from(ssa, *value),
        _ => None,
    }
}

fn parameter(ssa: &Ssa, value: ValueId) -> Option<u16> {
    match &ssa.values.get(value.0 as usize)?.op {
        Op::Parameter(number) => Some(*number),
        _ => None,
    }
}
