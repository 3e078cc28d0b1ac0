//! Small changes to programs that came far.

use std::sync::Arc;

use super::{Grower, LONGEST};
use crate::runner::{End, Ran};
use crate::sequence::{Literal, Sequence, Statement, Var};
use crate::world::CallKind;

/// What a program's run says about how to change it.
#[derive(Debug, Default)]
pub(crate) struct Hints {
    /// Probes of stand-ins' methods that were asked.
    asked: Vec<u16>,
    /// The statement that threw.
    failed: Option<usize>,
    /// It is not the last one: the call was not even reached.
    early: bool,
}

impl Hints {
    pub(crate) fn of(sequence: &Sequence, ran: Ran) -> Hints {
        Hints {
            asked: ran.asked,
            failed: (ran.end != End::Passed).then_some(ran.statement),
            early: ran.statement + 1 < sequence.statements.len(),
        }
    }
}

impl Grower<'_, '_> {
    /// A program like `parent`, with one to three small changes. Its last statement stays the call it is.
    pub(crate) fn changed(&mut self, parent: &Sequence, hints: &Hints) -> Sequence {
        let mut child = parent.clone();
        if let Some(at) = hints.failed
            && self.random.chance(if hints.early { 50 } else { 20 })
        {
            self.repair(&mut child, at);
            return child.swept();
        }
        if !hints.asked.is_empty() && self.random.chance(40) {
            self.answer(&mut child, &hints.asked);
            if self.random.chance(70) {
                return child.swept();
            }
        }
        for _ in 0..=self.random.below(3) {
            match self.random.below(10) {
                0..4 => self.change_operand(&mut child),
                4..6 => self.change_literal(&mut child),
                6..9 => self.insert_call(&mut child),
                _ => self.drop_call(&mut child),
            }
        }
        child.swept()
    }

    /// Gives a statement that failed something else to work on; where it got null, an object.
    fn repair(&mut self, sequence: &mut Sequence, at: usize) {
        let Some(statement) = sequence.statements.get(at) else {
            return;
        };
        let is_null = |var: Var| sequence.get(var).is_some_and(Statement::is_null);
        let operands: Vec<usize> = (0..statement.operands().count()).collect();
        let nulls: Vec<usize> = statement
            .operands()
            .enumerate()
            .filter(|(_, var)| is_null(*var))
            .map(|(which, _)| which)
            .collect();
        let of_nulls = !nulls.is_empty() && self.random.chance(80);
        let which = if of_nulls { &nulls } else { &operands };
        let Some(&which) = self.random.choose(which) else {
            return;
        };
        let Some((ty, not_null)) = wanted(statement, which) else {
            return;
        };
        self.replace(sequence, at, which, &ty, not_null || of_nulls);
    }

    /// A new value for operand `which` of statement `at`.
    fn replace(
        &mut self,
        sequence: &mut Sequence,
        at: usize,
        which: usize,
        ty: &Arc<str>,
        not_null: bool,
    ) {
        let Some((by, made)) = self.in_front(sequence, at, ty, not_null) else {
            return;
        };
        if let Some(statement) = sequence.statements.get_mut(at + by)
            && let Some(operand) = statement.operands_mut().nth(which)
        {
            *operand = made;
        }
    }

    /// Another value for one of a call's arguments, or another object to call it on.
    fn change_operand(&mut self, sequence: &mut Sequence) {
        let calls: Vec<usize> = sequence
            .statements
            .iter()
            .enumerate()
            .filter(|(_, statement)| statement.operands().next().is_some())
            .map(|(at, _)| at)
            .collect();
        let Some(&at) = self.random.choose(&calls) else {
            return;
        };
        let Some(statement) = sequence.statements.get(at) else {
            return;
        };
        let count = statement.operands().count();
        let which = self.random.below(count);
        let Some((wanted, not_null)) = wanted(statement, which) else {
            return;
        };
        self.replace(sequence, at, which, &wanted, not_null);
    }

    fn change_literal(&mut self, sequence: &mut Sequence) {
        let literals: Vec<usize> = sequence
            .statements
            .iter()
            .enumerate()
            .filter(|(_, statement)| {
                matches!(statement, Statement::Literal(literal) if !matches!(literal, Literal::Null(_) | Literal::Class(_)))
            })
            .map(|(at, _)| at)
            .collect();
        let Some(&at) = self.random.choose(&literals) else {
            return;
        };
        let Some(Statement::Literal(literal)) = sequence.statements.get_mut(at) else {
            return;
        };
        match literal {
            Literal::String(text) => *text = self.changed_text(text),
            Literal::Int(kind, number) if *kind != 'Z' && self.random.chance(40) => {
                let by = self.random.below(5) as i32 - 2;
                *number = number.wrapping_add(by);
                *number = narrowed(*kind, *number);
            }
            Literal::Int(kind, _) => {
                let kind = kind.to_string();
                if let Some(new) = self.primitive(&kind) {
                    *literal = new;
                }
            }
            Literal::Long(number) => *number = self.seeds.integer(&mut self.random),
            Literal::Float(number) => *number = self.seeds.double(&mut self.random) as f32,
            Literal::Double(number) => *number = self.seeds.double(&mut self.random),
            Literal::Null(_) | Literal::Class(_) => {}
        }
    }

    /// One letter more, less or other; or another text.
    fn changed_text(&mut self, text: &str) -> Arc<str> {
        let mut letters: Vec<char> = text.chars().collect();
        let at = self.random.below(letters.len() + 1);
        let other = self.seeds.text(&mut self.random);
        let letter = self.seeds.letter(&mut self.random);
        match self.random.below(6) {
            0 if at < letters.len() => {
                letters.remove(at);
            }
            1 => letters.insert(at, letter),
            2 if at < letters.len() => {
                if let Some(slot) = letters.get_mut(at) {
                    *slot = letter;
                }
            }
            3 => letters.truncate(at),
            4 => letters.extend(other.chars()),
            _ => return other,
        }
        letters.into_iter().take(400).collect::<String>().into()
    }

    fn insert_call(&mut self, sequence: &mut Sequence) {
        if sequence.statements.len() >= LONGEST {
            return;
        }
        let objects: Vec<(usize, Arc<str>)> = sequence
            .statements
            .iter()
            .enumerate()
            .filter(|(_, statement)| !statement.is_null())
            .map(|(at, statement)| (at, statement.ty()))
            .filter(|(_, ty)| ty.starts_with('L') && &**ty != "Ljava/lang/String;")
            .collect();
        let last = sequence.statements.len().saturating_sub(1);
        if self.random.chance(10) {
            let at = self.random.below(last + 1);
            self.insert(sequence, at, Grower::call_static);
            return;
        }
        // What the last call works on matters most.
        let near: Vec<usize> = sequence
            .statements
            .last()
            .into_iter()
            .flat_map(Statement::operands)
            .map(usize::from)
            .collect();
        let near: Vec<&(usize, Arc<str>)> =
            objects.iter().filter(|(at, _)| near.contains(at)).collect();
        let object = if self.random.chance(50) {
            self.random.choose(&near).copied()
        } else {
            self.random.choose(&objects)
        };
        let Some((object, _)) = object.filter(|(at, _)| *at < last) else {
            return;
        };
        // Somewhere between the object's making and the end.
        let at = object + 1 + self.random.below(last - object);
        let object = *object as Var;
        self.insert(sequence, at, |grower, front| {
            grower.use_value(front, object);
        });
    }

    /// Lets `grow` write on at the end of the first `at` statements.
    fn insert(
        &mut self,
        sequence: &mut Sequence,
        at: usize,
        grow: impl FnOnce(&mut Self, &mut Sequence),
    ) {
        let mut front = sequence.first(at);
        grow(self, &mut front);
        let new = front.statements.split_off(at.min(front.statements.len()));
        sequence.insert(at, new);
    }

    /// A call whose value nobody uses.
    fn drop_call(&mut self, sequence: &mut Sequence) {
        let last = sequence.statements.len().saturating_sub(1);
        let uses = sequence.uses();
        let free: Vec<usize> = (0..last).filter(|at| uses.get(*at) == Some(&0)).collect();
        let Some(&dropped) = self.random.choose(&free) else {
            return;
        };
        let marked: Vec<bool> = (0..=last).map(|at| at != dropped).collect();
        if let Some(shorter) = sequence.keep(&marked) {
            *sequence = shorter;
        }
    }

    /// Lets a stand-in give something back from a method that was asked when the program ran.
    fn answer(&mut self, sequence: &mut Sequence, asked: &[u16]) {
        let mut unanswered = Vec::new();
        for (at, statement) in sequence.statements.iter().enumerate() {
            let Statement::StandIn {
                class, answered, ..
            } = statement
            else {
                continue;
            };
            for (number, open) in class.open.iter().enumerate() {
                let is_new = !answered.contains(&(number as u8));
                if &*open.result != "V" && is_new && asked.contains(&class.probe(number)) {
                    unanswered.push((at, number as u8, Arc::clone(&open.result)));
                }
            }
        }
        let Some((at, number, ty)) = self.random.choose(&unanswered).cloned() else {
            return;
        };
        let Some((by, made)) = self.in_front(sequence, at, &ty, true) else {
            return;
        };
        if let Some(Statement::StandIn {
            answered, operands, ..
        }) = sequence.statements.get_mut(at + by)
        {
            answered.push(number);
            operands.push(made);
        }
    }

    /// Makes a value in front of statement `at`; gives how far that moved, and the value.
    fn in_front(
        &mut self,
        sequence: &mut Sequence,
        at: usize,
        ty: &Arc<str>,
        not_null: bool,
    ) -> Option<(usize, Var)> {
        let mut front = sequence.first(at);
        let made = match self.primitive(ty) {
            Some(literal) => front.push(Statement::Literal(literal)),
            None if not_null => self.object(&mut front, ty, 1)?,
            None => self.value(&mut front, ty, 1)?,
        };
        let new = front.statements.split_off(at);
        Some((sequence.insert(at, new), made))
    }
}

/// What operand `which` of a statement must be, and whether it must be an object.
fn wanted(statement: &Statement, which: usize) -> Option<(Arc<str>, bool)> {
    match statement {
        Statement::Call {
            callable,
            receiver: Some(_),
            ..
        } => match which.checked_sub(1) {
            None => Some((Arc::clone(&callable.owner), true)),
            Some(argument) => Some((Arc::clone(callable.parameters.get(argument)?), false)),
        },
        Statement::Call { callable, .. } => {
            let outer = which == 0 && callable.kind == CallKind::InnerConstructor;
            Some((Arc::clone(callable.parameters.get(which)?), outer))
        }
        Statement::Array { component, .. } => Some((Arc::clone(component), false)),
        Statement::StandIn {
            class, answered, ..
        } => {
            let ty = match which.checked_sub(class.parameters.len()) {
                None => class.parameters.get(which)?,
                Some(answer) => {
                    let number = usize::from(*answered.get(answer)?);
                    &class.open.get(number)?.result
                }
            };
            Some((Arc::clone(ty), false))
        }
        Statement::Set { field, object, .. } => match (which, object) {
            (0, Some(_)) => Some((Arc::clone(&field.owner), true)),
            _ => Some((Arc::clone(&field.ty), false)),
        },
        Statement::Literal(_) | Statement::Constant(_) => None,
    }
}

fn narrowed(kind: char, number: i32) -> i32 {
    match kind {
        'B' => i32::from(number as i8),
        'C' => i32::from(number as u16),
        'S' => i32::from(number as i16),
        _ => number,
    }
}
