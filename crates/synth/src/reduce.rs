//! Takes out of a program what the crash does not need.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use recrash_reduce::{Budget, Outcome, Simpler, Simplification};

use crate::error::Result;
use crate::sequence::{Literal, Sequence, Statement};

/// The shortest that single steps lead to: each remaining statement is needed.
pub(crate) fn reduce(
    sequence: &Sequence,
    mut still: impl FnMut(&Sequence) -> Result<bool>,
) -> Result<Sequence> {
    let steps = Simplification::new(&Shorter);
    let mut budget = Budget::unlimited();
    let shortest = steps.run(sequence.swept(), &mut budget, |candidate| {
        still(candidate).map(Outcome::of)
    })?;
    Ok(shortest.value)
}

/// Programs that do without one statement.
struct Shorter;

impl Simpler<Sequence> for Shorter {
    /// The last statement is the call that crashes.
    fn places(&self, sequence: &Sequence) -> usize {
        sequence.statements.len().saturating_sub(1)
    }

    /// From the end: what uses values goes before what makes them.
    fn at(&self, sequence: &Sequence, place: usize) -> Vec<Sequence> {
        without(sequence, self.places(sequence) - 1 - place)
    }

    fn weight(&self, sequence: &Sequence) -> usize {
        weight(sequence)
    }

    fn content(&self, sequence: &Sequence) -> Option<u128> {
        let text = format!("{sequence:?}");
        let half = |salt: u8| {
            let mut hasher = DefaultHasher::new();
            (salt, &text).hash(&mut hasher);
            u128::from(hasher.finish())
        };
        Some(half(0) << 64 | half(1))
    }
}

fn weight(sequence: &Sequence) -> usize {
    let of = |statement: &Statement| match statement {
        Statement::Literal(Literal::Null(_)) => 1,
        Statement::Literal(Literal::String(text)) => 2 + text.chars().count(),
        Statement::Literal(Literal::Int(_, number)) => 2 + usize::from(*number != 0),
        Statement::Literal(Literal::Long(number)) => 2 + usize::from(*number != 0),
        Statement::Literal(_) | Statement::Constant(_) => 3,
        Statement::Array { elements, .. } => 3 + elements.len(),
        Statement::Call { .. } => 20,
        Statement::Set { field, .. } => 20 + 5 * usize::from(field.hidden),
        Statement::StandIn { answered, .. } => 30 + 5 * answered.len(),
    };
    sequence.statements.iter().map(of).sum()
}

/// Ways to do without a statement: drop it, put null or something simpler in its place, use another of its type.
fn without(sequence: &Sequence, at: usize) -> Vec<Sequence> {
    let mut ways = Vec::new();
    let marked: Vec<bool> = (0..sequence.statements.len())
        .map(|one| one != at)
        .collect();
    ways.extend(sequence.keep(&marked).map(|shorter| shorter.swept()));
    let Some(statement) = sequence.statements.get(at) else {
        return ways;
    };
    let ty = statement.ty();
    let mut instead = |simple: Statement| {
        let mut candidate = sequence.clone();
        if let Some(slot) = candidate.statements.get_mut(at) {
            *slot = simple;
        }
        ways.push(candidate.swept());
    };
    if ty.starts_with(['L', '[']) {
        instead(Statement::Literal(Literal::Null(Arc::clone(&ty))));
    }
    if &*ty == "Ljava/lang/String;" {
        instead(Statement::Literal(Literal::String("".into())));
        instead(Statement::Literal(Literal::String("a".into())));
    }
    match statement {
        Statement::Literal(Literal::String(text)) => {
            let letters: Vec<char> = text.chars().collect();
            let half: String = letters.iter().take(letters.len() / 2).collect();
            instead(Statement::Literal(Literal::String(half.into())));
            for left_out in 0..letters.len().min(40) {
                let rest = letters.iter().enumerate().filter(|(at, _)| *at != left_out);
                let rest: String = rest.map(|(_, letter)| *letter).collect();
                instead(Statement::Literal(Literal::String(rest.into())));
            }
        }
        Statement::Literal(Literal::Int(kind, number)) if *number != 0 => {
            instead(Statement::Literal(Literal::Int(*kind, 0)));
        }
        Statement::Literal(Literal::Long(number)) if *number != 0 => {
            instead(Statement::Literal(Literal::Long(0)));
        }
        Statement::Array {
            component,
            elements,
        } => {
            for left_out in 0..elements.len() {
                let mut fewer = elements.clone();
                fewer.remove(left_out);
                instead(Statement::Array {
                    component: Arc::clone(component),
                    elements: fewer,
                });
            }
        }
        Statement::StandIn {
            class,
            answered,
            operands,
        } => {
            for left_out in 0..answered.len() {
                let mut fewer = answered.clone();
                fewer.remove(left_out);
                let mut rest = operands.clone();
                rest.remove(class.parameters.len() + left_out);
                instead(Statement::StandIn {
                    class: Arc::clone(class),
                    answered: fewer,
                    operands: rest,
                });
            }
        }
        _ => {}
    }
    // An earlier value of the same type.
    for (other, earlier) in sequence.statements.iter().take(at).enumerate() {
        if earlier.ty() == ty && !earlier.is_null() && ty.starts_with('L') {
            let mut candidate = sequence.clone();
            for statement in candidate.statements.iter_mut().skip(at + 1) {
                for operand in statement.operands_mut() {
                    if usize::from(*operand) == at {
                        *operand = other as u16;
                    }
                }
            }
            let marked: Vec<bool> = (0..candidate.statements.len())
                .map(|one| one != at)
                .collect();
            ways.extend(candidate.keep(&marked).map(|shorter| shorter.swept()));
        }
    }
    ways
}
