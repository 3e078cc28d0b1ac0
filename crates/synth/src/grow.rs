//! Makes programs: from nothing, and by small changes to ones that came far.

use std::rc::Rc;

use crate::entry::Entry;
use crate::random::Random;
use crate::seeds::Seeds;
use crate::sequence::{Literal, Sequence, Statement, Var};
use crate::world::{CallKind, Callable, Maker, World};

/// A value's own values, and theirs, and no further.
const DEEPEST: usize = 6;
/// Longer programs are not grown any more.
const LONGEST: usize = 60;

pub(crate) struct Grower<'a, 'p> {
    pub(crate) world: &'a World<'p>,
    pub(crate) seeds: &'a Seeds,
    pub(crate) random: Random,
    /// Of a hundred objects, so many are null.
    pub(crate) nulls: u64,
}

impl Grower<'_, '_> {
    /// A program that ends with a call of `entry`.
    pub(crate) fn grow(&mut self, entry: &Entry) -> Option<Sequence> {
        let mut sequence = Sequence::default();
        let callable = &entry.callable;
        let receiver = match self.random.choose(&entry.producers).cloned() {
            Some(producer) => Some(self.produced(&mut sequence, &producer)?),
            None if callable.kind == CallKind::Instance => {
                Some(self.object(&mut sequence, &callable.owner, 0)?)
            }
            None => None,
        };
        if let Some(receiver) = receiver {
            for _ in 0..self.random.below(4) {
                self.use_value(&mut sequence, receiver);
            }
        }
        self.call(&mut sequence, callable, receiver, 0)?;
        Some(sequence)
    }

    /// What `producer` gives, of an object that was used before.
    fn produced(&mut self, sequence: &mut Sequence, producer: &Rc<Callable>) -> Option<Var> {
        let owner = if producer.kind == CallKind::Instance {
            let owner = self.object(sequence, &producer.owner, 0)?;
            for _ in 0..self.random.below(6) {
                self.use_value(sequence, owner);
            }
            Some(owner)
        } else {
            None
        };
        self.call(sequence, producer, owner, 0)
    }

    fn call(
        &mut self,
        sequence: &mut Sequence,
        callable: &Rc<Callable>,
        receiver: Option<Var>,
        depth: usize,
    ) -> Option<Var> {
        let mut arguments = Vec::with_capacity(callable.parameters.len());
        for (number, parameter) in callable.parameters.iter().enumerate() {
            let outer = number == 0 && callable.kind == CallKind::InnerConstructor;
            let argument = if outer {
                self.object(sequence, parameter, depth + 1)?
            } else {
                self.value(sequence, parameter, depth + 1)?
            };
            arguments.push(argument);
        }
        Some(sequence.push(Statement::Call {
            callable: Rc::clone(callable),
            receiver,
            arguments,
        }))
    }

    /// A value of the type, null included.
    pub(crate) fn value(
        &mut self,
        sequence: &mut Sequence,
        ty: &Rc<str>,
        depth: usize,
    ) -> Option<Var> {
        if let Some(literal) = self.primitive(ty) {
            return Some(sequence.push(Statement::Literal(literal)));
        }
        if self.random.chance(self.nulls) || depth > DEEPEST {
            return Some(sequence.push(Statement::Literal(Literal::Null(Rc::clone(ty)))));
        }
        self.object(sequence, ty, depth)
            .or_else(|| Some(sequence.push(Statement::Literal(Literal::Null(Rc::clone(ty))))))
    }

    fn primitive(&mut self, ty: &str) -> Option<Literal> {
        let (seeds, random) = (self.seeds, &mut self.random);
        Some(match ty {
            "Z" => Literal::Int('Z', random.below(2) as i32),
            "B" => Literal::Int('B', i32::from(seeds.integer(random) as i8)),
            "C" => Literal::Int('C', i32::from(seeds.integer(random) as u16)),
            "S" => Literal::Int('S', i32::from(seeds.integer(random) as i16)),
            "I" => Literal::Int('I', seeds.integer(random) as i32),
            "J" => Literal::Long(seeds.integer(random)),
            "F" => Literal::Float(seeds.double(random) as f32),
            "D" => Literal::Double(seeds.double(random)),
            _ => return None,
        })
    }

    /// A value that is not null.
    pub(crate) fn object(
        &mut self,
        sequence: &mut Sequence,
        ty: &Rc<str>,
        depth: usize,
    ) -> Option<Var> {
        if self.random.chance(35)
            && let Some(known) = self.known(sequence, ty)
        {
            return Some(known);
        }
        if let Some(component) = ty.strip_prefix('[') {
            let component: Rc<str> = component.into();
            let length = self.random.below(4);
            let mut elements = Vec::new();
            for _ in 0..length {
                elements.push(self.value(sequence, &component, depth + 1)?);
            }
            return Some(sequence.push(Statement::Array {
                component,
                elements,
            }));
        }
        let wants_text = &**ty == "Ljava/lang/String;"
            || (matches!(
                &**ty,
                "Ljava/lang/Object;" | "Ljava/lang/CharSequence;" | "Ljava/lang/Comparable;"
            ) && self.random.chance(50));
        if wants_text {
            let text = self.seeds.text(&mut self.random);
            return Some(sequence.push(Statement::Literal(Literal::String(text))));
        }
        if &**ty == "Ljava/lang/Class;" {
            let names = ["Ljava/lang/String;", "Ljava/lang/Object;", "I", "[I"];
            let name = self.random.choose(&names).copied().unwrap_or("I");
            return Some(sequence.push(Statement::Literal(Literal::Class(name.into()))));
        }
        if depth > DEEPEST {
            return None;
        }
        let makers = self.world.makers(ty);
        // A way may end at something that cannot be had; a few are tried.
        for _ in 0..4 {
            let way = self.random.weighted(&makers.weights)?;
            let before = sequence.clone();
            let made = match makers.ways.get(way)? {
                Maker::Constant(constant) => {
                    Some(sequence.push(Statement::Constant(Rc::clone(constant))))
                }
                Maker::Stub(interface) => Some(sequence.push(Statement::Stub {
                    interface: Rc::clone(interface),
                    results: Vec::new(),
                })),
                Maker::Call(callable) => {
                    let callable = Rc::clone(callable);
                    self.call(sequence, &callable, None, depth)
                }
            };
            if let Some(made) = made {
                if depth < 3 && self.random.chance(30) {
                    self.use_value(sequence, made);
                }
                return Some(made);
            }
            *sequence = before;
        }
        None
    }

    /// A value of the program so far that fits.
    fn known(&mut self, sequence: &Sequence, ty: &str) -> Option<Var> {
        let fitting: Vec<Var> = (0..)
            .zip(&sequence.statements)
            .filter(|(_, statement)| !statement.is_null() && self.world.fits(&statement.ty(), ty))
            .map(|(var, _)| var)
            .collect();
        self.random.choose(&fitting).copied()
    }

    /// Calls one of the methods that a value has.
    fn use_value(&mut self, sequence: &mut Sequence, var: Var) {
        let Some(ty) = sequence.get(var).map(Statement::ty) else {
            return;
        };
        let methods = self.world.methods_on(&ty);
        let Some(method) = self.random.choose(&methods).cloned() else {
            return;
        };
        if sequence.statements.len() >= LONGEST {
            return;
        }
        let before = sequence.clone();
        if self.call(sequence, &method, Some(var), 2).is_none() {
            *sequence = before;
        }
    }

    /// A program like `parent`, with one to three small changes. Its last statement stays the call it is.
    pub(crate) fn changed(&mut self, parent: &Sequence) -> Sequence {
        let mut child = parent.clone();
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
        let mut front = Sequence {
            statements: sequence.statements.iter().take(at).cloned().collect(),
        };
        let made = if not_null {
            self.object(&mut front, &wanted, 1)
        } else {
            self.value(&mut front, &wanted, 1)
        };
        let Some(made) = made else {
            return;
        };
        let new = front.statements.split_off(at);
        let by = sequence.insert(at, new);
        if let Some(statement) = sequence.statements.get_mut(at + by)
            && let Some(operand) = statement.operands_mut().nth(which)
        {
            *operand = made;
        }
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
    fn changed_text(&mut self, text: &str) -> Rc<str> {
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
        let objects: Vec<(usize, Rc<str>)> = sequence
            .statements
            .iter()
            .enumerate()
            .filter(|(_, statement)| !statement.is_null())
            .map(|(at, statement)| (at, statement.ty()))
            .filter(|(_, ty)| ty.starts_with('L') && &**ty != "Ljava/lang/String;")
            .collect();
        let last = sequence.statements.len().saturating_sub(1);
        let Some((object, _)) = self.random.choose(&objects).filter(|(at, _)| *at < last) else {
            return;
        };
        // Somewhere between the object's making and the end.
        let at = object + 1 + self.random.below(last - object);
        let mut front = Sequence {
            statements: sequence.statements.iter().take(at).cloned().collect(),
        };
        self.use_value(&mut front, *object as Var);
        let new = front.statements.split_off(at.min(front.statements.len()));
        sequence.insert(at, new);
    }

    /// A call whose value nobody uses.
    fn drop_call(&mut self, sequence: &mut Sequence) {
        let last = sequence.statements.len().saturating_sub(1);
        let mut used = vec![false; sequence.statements.len()];
        for operand in sequence.statements.iter().flat_map(Statement::operands) {
            if let Some(slot) = used.get_mut(usize::from(operand)) {
                *slot = true;
            }
        }
        let free: Vec<usize> = (0..last)
            .filter(|at| used.get(*at) == Some(&false))
            .collect();
        let Some(&dropped) = self.random.choose(&free) else {
            return;
        };
        let marked: Vec<bool> = (0..=last).map(|at| at != dropped).collect();
        if let Some(shorter) = sequence.keep(&marked) {
            *sequence = shorter;
        }
    }
}

/// What operand `which` of a statement must be, and whether it must be an object.
fn wanted(statement: &Statement, which: usize) -> Option<(Rc<str>, bool)> {
    match statement {
        Statement::Call {
            callable,
            receiver: Some(_),
            ..
        } => match which.checked_sub(1) {
            None => Some((Rc::clone(&callable.owner), true)),
            Some(argument) => Some((Rc::clone(callable.parameters.get(argument)?), false)),
        },
        Statement::Call { callable, .. } => {
            let outer = which == 0 && callable.kind == CallKind::InnerConstructor;
            Some((Rc::clone(callable.parameters.get(which)?), outer))
        }
        Statement::Array { component, .. } => Some((Rc::clone(component), false)),
        _ => None,
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
