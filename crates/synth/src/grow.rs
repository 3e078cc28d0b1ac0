//! Makes programs: from nothing, and by small changes to ones that came far.

use std::sync::Arc;

use crate::entry::Entry;
use crate::experience::Experience;
use crate::random::Random;
use crate::seeds::Seeds;
use crate::sequence::{Literal, Sequence, Statement, Var};
use crate::stand_in::StandIn;
use crate::world::{CallKind, Callable, Maker, Uses, World};

mod change;

pub(crate) use change::Hints;

/// A value's own values, and theirs, and no further.
const DEEPEST: usize = 6;
/// Longer programs are not grown any more.
const LONGEST: usize = 60;

pub(crate) struct Grower<'a, 'p> {
    pub(crate) world: &'a World<'p>,
    pub(crate) seeds: Seeds,
    pub(crate) experience: Experience,
    /// Static methods of the trace's classes.
    pub(crate) static_uses: Uses,
    pub(crate) random: Random,
    /// Of a hundred objects, so many are null.
    pub(crate) nulls: u64,
}

impl Grower<'_, '_> {
    /// A program that ends with a call of `entry`.
    pub(crate) fn grow(&mut self, entry: &Entry) -> Option<Sequence> {
        let mut sequence = Sequence::default();
        let callable = &entry.callable;
        if self.random.chance(15) {
            self.call_static(&mut sequence);
        }
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
    fn produced(&mut self, sequence: &mut Sequence, producer: &Maker) -> Option<Var> {
        let producer = match producer {
            Maker::Call(callable) => callable,
            Maker::Constant(constant) => {
                return Some(sequence.push(Statement::Constant(Arc::clone(constant))));
            }
            Maker::StandIn(_) => return None,
        };
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
        callable: &Arc<Callable>,
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
            callable: Arc::clone(callable),
            receiver,
            arguments,
        }))
    }

    /// A value of the type, null included.
    pub(crate) fn value(
        &mut self,
        sequence: &mut Sequence,
        ty: &Arc<str>,
        depth: usize,
    ) -> Option<Var> {
        if let Some(literal) = self.primitive(ty) {
            return Some(sequence.push(Statement::Literal(literal)));
        }
        if self.random.chance(self.nulls) || depth > DEEPEST {
            return Some(sequence.push(Statement::Literal(Literal::Null(Arc::clone(ty)))));
        }
        self.object(sequence, ty, depth)
            .or_else(|| Some(sequence.push(Statement::Literal(Literal::Null(Arc::clone(ty))))))
    }

    fn primitive(&mut self, ty: &str) -> Option<Literal> {
        let (seeds, random) = (&self.seeds, &mut self.random);
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
        ty: &Arc<str>,
        depth: usize,
    ) -> Option<Var> {
        if self.random.chance(35)
            && let Some(known) = self.known(sequence, ty)
        {
            return Some(known);
        }
        if let Some(component) = ty.strip_prefix('[') {
            let component: Arc<str> = component.into();
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
            let class = self.seeds.class(&mut self.random);
            return Some(sequence.push(Statement::Literal(Literal::Class(class))));
        }
        if depth > DEEPEST {
            return None;
        }
        // What the code casts to, or asks for.
        if self.random.chance(30)
            && let Some(wanted) = self.random.choose(self.seeds.types()).cloned()
            && wanted != *ty
            && self.world.fits(&wanted, ty)
            && let Some(made) = self.object(sequence, &wanted, depth + 1)
        {
            return Some(made);
        }
        let makers = self.world.makers(ty);
        // A way may end at something that cannot be had; a few are tried.
        for _ in 0..8 {
            let way = self.random.weighted(&makers.weights)?;
            if let Some(Maker::Call(callable)) = makers.ways.get(way) {
                let doubt = 1.0 - self.experience.trust(callable.method);
                if self.random.chance((90.0 * doubt) as u64) {
                    continue;
                }
                if self.random.chance(50)
                    && let Some(known) = self.experience.way(callable.method, &mut self.random)
                {
                    return sequence.append(&known);
                }
            }
            let before = sequence.statements.len();
            let made = match makers.ways.get(way)? {
                Maker::Constant(constant) => {
                    Some(sequence.push(Statement::Constant(Arc::clone(constant))))
                }
                Maker::StandIn(class) => self.stand_in(sequence, class, depth),
                Maker::Call(callable) => {
                    let receiver = if callable.kind == CallKind::Instance {
                        self.object(sequence, &callable.owner, depth + 1)
                    } else {
                        None
                    };
                    if receiver.is_none() && callable.kind == CallKind::Instance {
                        None
                    } else {
                        self.call(sequence, callable, receiver, depth)
                    }
                }
            };
            if let Some(made) = made {
                if depth < 3 && self.random.chance(30) {
                    self.use_value(sequence, made);
                }
                return Some(made);
            }
            sequence.statements.truncate(before);
        }
        None
    }

    /// Its methods answer nothing at first; what is asked for is answered later.
    fn stand_in(
        &mut self,
        sequence: &mut Sequence,
        class: &Arc<StandIn>,
        depth: usize,
    ) -> Option<Var> {
        let mut operands = Vec::with_capacity(class.parameters.len());
        for parameter in &class.parameters {
            operands.push(self.value(sequence, parameter, depth + 1)?);
        }
        Some(sequence.push(Statement::StandIn {
            class: Arc::clone(class),
            answered: Vec::new(),
            operands,
        }))
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
        let uses = self.world.uses(&ty);
        let chosen = self.random.weighted(&uses.weights);
        if let Some(method) = chosen.and_then(|chosen| uses.methods.get(chosen)) {
            self.call_or_not(sequence, method, Some(var));
        }
    }

    /// Calls one of the static methods, for what it leaves behind.
    fn call_static(&mut self, sequence: &mut Sequence) {
        let chosen = self.random.weighted(&self.static_uses.weights);
        if let Some(method) = chosen.and_then(|chosen| self.static_uses.methods.get(chosen)) {
            let method = Arc::clone(method);
            self.call_or_not(sequence, &method, None);
        }
    }

    /// Leaves the program as it is if an argument cannot be had.
    fn call_or_not(
        &mut self,
        sequence: &mut Sequence,
        method: &Arc<Callable>,
        receiver: Option<Var>,
    ) {
        let before = sequence.statements.len();
        if before < LONGEST && self.call(sequence, method, receiver, 2).is_none() {
            sequence.statements.truncate(before);
        }
    }
}
