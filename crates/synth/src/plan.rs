//! From a state that the solver found to a program that may make it: constructors and setters that put the wanted values
//! into the wanted fields, stand-ins that give the wanted answers. What no call can set is left to chance and to the search.

use std::collections::HashMap;
use std::sync::Arc;

use recrash_classfile::text;
use recrash_program::{FieldId, MemberRef, SelectorId};
use recrash_symbolic::{Array, Input, Object, Precondition};

use crate::grow::Grower;
use crate::sequence::{Literal, Sequence, Statement, Var};
use crate::setters::{Puts, Setters};
use crate::stand_in::StandIn;
use crate::summary::From;
use crate::world::{CallKind, Callable, Maker};

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;

/// Longer arrays are not written out.
const LONGEST: i32 = 64;
/// Deeper states are left to chance.
const DEEPEST: usize = 5;

pub(crate) struct Planner<'g, 'a, 'p> {
    pub(crate) grower: &'g mut Grower<'a, 'p>,
    pub(crate) setters: &'g Setters<'g>,
    /// Objects and arrays made so far, by their numbers in the state.
    made: HashMap<u32, Var>,
    /// Of the last object that is not in the state, but has to hold a part of it.
    unnamed: u32,
    /// What no call sets is set by reflection.
    reflects: bool,
}

impl<'g, 'a, 'p> Planner<'g, 'a, 'p> {
    pub(crate) fn new(grower: &'g mut Grower<'a, 'p>, setters: &'g Setters<'g>) -> Self {
        // Half of the programs do without: a test without reflection is the better one.
        let reflects = grower.world.reflects() && grower.random.chance(50);
        Planner {
            grower,
            setters,
            made: HashMap::new(),
            unnamed: u32::MAX,
            reflects,
        }
    }

    /// A program that ends with a call of `callable` in the state of `precondition`, as far as calls can make it.
    pub(crate) fn plan(
        mut self,
        callable: &Arc<Callable>,
        precondition: &Precondition,
    ) -> Option<Sequence> {
        let mut sequence = Sequence::default();
        for (field, input) in &precondition.statics {
            self.assign(&mut sequence, None, *field, input, 0);
        }
        let mut inputs = precondition.arguments.iter();
        let receiver = match callable.kind {
            CallKind::Instance => {
                let input = inputs.next()?;
                Some(self.make(&mut sequence, input, &callable.owner, 0)?)
            }
            // The object that a constructor makes is not there yet.
            CallKind::Constructor | CallKind::InnerConstructor => {
                inputs.next();
                None
            }
            CallKind::Static => None,
        };
        let mut arguments = Vec::with_capacity(callable.parameters.len());
        for parameter in &callable.parameters {
            let input = inputs.next().unwrap_or(&Input::Any);
            arguments.push(self.make(&mut sequence, input, parameter, 0)?);
        }
        sequence.push(Statement::Call {
            callable: Arc::clone(callable),
            receiver,
            arguments,
        });
        Some(sequence)
    }

    fn make(
        &mut self,
        sequence: &mut Sequence,
        input: &Input,
        ty: &Arc<str>,
        depth: usize,
    ) -> Option<Var> {
        let literal = match input {
            Input::Null => Literal::Null(Arc::clone(ty)),
            Input::Int(number) if ty.len() == 1 => Literal::Int(ty.chars().next()?, *number),
            Input::Long(number) => Literal::Long(*number),
            Input::Float(number) => Literal::Float(*number),
            Input::Double(number) => Literal::Double(*number),
            Input::Text(text) => Literal::String(text.as_str().into()),
            Input::Again(number) => {
                return match self.made.get(number) {
                    Some(made) => Some(*made),
                    None => self.grower.value(sequence, ty, depth),
                };
            }
            Input::Object(object) if depth < DEEPEST => {
                let made = self.object(sequence, object, ty, depth)?;
                self.made.insert(object.id, made);
                return Some(made);
            }
            Input::Array(array) if depth < DEEPEST && array.length <= LONGEST => {
                let made = self.array(sequence, array, ty, depth)?;
                self.made.insert(array.id, made);
                return Some(made);
            }
            _ => return self.grower.value(sequence, ty, depth),
        };
        Some(sequence.push(Statement::Literal(literal)))
    }

    fn array(
        &mut self,
        sequence: &mut Sequence,
        array: &Array,
        ty: &str,
        depth: usize,
    ) -> Option<Var> {
        let name = text(&self.grower.world.program.class_name(array.class));
        // The solver may know more than the parameter's type, which may be `Object`.
        let component: Arc<str> = ty.strip_prefix('[').or(name.strip_prefix('['))?.into();
        let mut elements = Vec::new();
        for index in 0..array.length {
            let wanted = array.elements.iter().find(|(at, _)| *at == index);
            elements.push(match wanted {
                Some((_, input)) => self.make(sequence, input, &component, depth + 1)?,
                None => sequence.push(Statement::Literal(Literal::zero(&component))),
            });
        }
        Some(sequence.push(Statement::Array {
            component,
            elements,
        }))
    }

    fn object(
        &mut self,
        sequence: &mut Sequence,
        object: &Object,
        ty: &Arc<str>,
        depth: usize,
    ) -> Option<Var> {
        let own = self.grower.world.descriptor_of(object.class);
        let ty = if self.grower.world.fits(&own, ty) && self.grower.world.can_write(&own) {
            own
        } else {
            Arc::clone(ty)
        };
        let makers = self.grower.world.makers(&ty);
        if !object.results.is_empty() {
            let stand_in = makers.ways.iter().find_map(|way| match way {
                Maker::StandIn(class) => Some(Arc::clone(class)),
                _ => None,
            });
            if let Some(class) = stand_in {
                return self.stand_in(sequence, &class, object, depth);
            }
        }
        // What puts most of what is wanted in its place; chance decides between equals.
        let program = self.grower.world.program;
        let mut best: Option<(usize, &Arc<Callable>)> = None;
        for way in &makers.ways {
            let Maker::Call(callable) = way else {
                continue;
            };
            let puts = self.setters.of(program, callable);
            let wanted = object.fields.iter();
            let count = wanted
                .filter(|(field, input)| self.agrees(callable, &puts, *field, input))
                .count();
            let usable = match callable.kind {
                CallKind::Constructor => true,
                CallKind::Static => count > 0,
                CallKind::InnerConstructor | CallKind::Instance => false,
            };
            let better = match best {
                _ if !usable => false,
                None => true,
                Some((most, _)) if count == most => self.grower.random.chance(40),
                Some((most, _)) => count > most,
            };
            if better {
                best = Some((count, callable));
            }
        }
        let Some((_, maker)) = best else {
            return self.grower.object(sequence, &ty, depth);
        };
        let maker = Arc::clone(maker);
        let mut made = self.call(sequence, &maker, None, &object.fields, depth)?;
        let puts = self.setters.of(program, &maker);
        for (field, input) in &object.fields {
            if self.agrees(&maker, &puts, *field, input) || matches!(input, Input::Any) {
                continue;
            }
            match self.set(sequence, made, object, *field, input, depth) {
                Some(after) => made = after,
                None => self.assign(sequence, Some((made, &maker.result)), *field, input, depth),
            }
        }
        Some(made)
    }

    /// A call that puts values of `fields` in their places; other arguments are left to chance.
    fn call(
        &mut self,
        sequence: &mut Sequence,
        callable: &Arc<Callable>,
        receiver: Option<Var>,
        fields: &[(FieldId, Input)],
        depth: usize,
    ) -> Option<Var> {
        let puts = self.setters.of(self.grower.world.program, callable);
        let mut arguments = Vec::with_capacity(callable.parameters.len());
        for (number, parameter) in (0..).zip(&callable.parameters) {
            let input = self.argument(&puts, number, parameter, fields);
            arguments.push(self.make(sequence, &input, parameter, depth + 1)?);
        }
        Some(sequence.push(Statement::Call {
            callable: Arc::clone(callable),
            receiver,
            arguments,
        }))
    }

    /// What an argument has to be for the fields to get what is wanted: a value of theirs, or an object that holds it.
    fn argument(
        &mut self,
        puts: &Puts,
        number: u16,
        parameter: &str,
        fields: &[(FieldId, Input)],
    ) -> Input {
        let mut held: Vec<(FieldId, Input)> = Vec::new();
        for (field, input) in fields {
            let selector = self.selector(*field);
            for (_, from) in puts.fields.iter().filter(|(put, _)| Some(*put) == selector) {
                match from {
                    From::Parameter(from) if *from == number => return input.clone(),
                    From::Field(from, inner) if *from == number => {
                        let inner = self.field_of(parameter, *inner);
                        held.extend(inner.map(|inner| (inner, input.clone())));
                    }
                    _ => {}
                }
            }
        }
        let class = self.grower.world.class_of(parameter);
        match class.filter(|_| !held.is_empty()) {
            Some(class) => {
                // No number of the state's own: those are counted from below.
                self.unnamed -= 1;
                Input::Object(Object {
                    id: self.unnamed,
                    class,
                    not: Vec::new(),
                    fields: held,
                    results: Vec::new(),
                })
            }
            None => Input::Any,
        }
    }

    fn field_of(&self, ty: &str, selector: SelectorId) -> Option<FieldId> {
        let class = self.grower.world.class_of(ty)?;
        let hierarchy = self.grower.world.program.hierarchy();
        hierarchy.resolve_field(class, selector)
    }

    /// Puts the value into the field itself: where source sees it, or by reflection, where that is allowed.
    fn assign(
        &mut self,
        sequence: &mut Sequence,
        object: Option<(Var, &Arc<str>)>,
        field: FieldId,
        input: &Input,
        depth: usize,
    ) {
        let of = object.and_then(|(_, ty)| self.grower.world.class_of(ty));
        let settable = self.grower.world.settable(field, of);
        let Some(field) = settable.filter(|field| !field.hidden || self.reflects) else {
            return;
        };
        let before = sequence.statements.len();
        match self.make(sequence, input, &field.ty, depth + 1) {
            Some(value) => {
                sequence.push(Statement::Set {
                    field: Arc::new(field),
                    object: object.map(|(object, _)| object),
                    value,
                });
            }
            None => sequence.statements.truncate(before),
        }
    }

    /// Calls a method that puts the value into the field, if there is one, and gives the object that has it then.
    fn set(
        &mut self,
        sequence: &mut Sequence,
        made: Var,
        object: &Object,
        field: FieldId,
        input: &Input,
        depth: usize,
    ) -> Option<Var> {
        let ty = sequence.get(made)?.ty();
        let uses = self.grower.world.uses(&ty);
        let program = self.grower.world.program;
        let setters: Vec<&Arc<Callable>> = uses
            .methods
            .iter()
            .filter(|callable| {
                let puts = self.setters.of(program, callable);
                self.agrees(callable, &puts, field, input)
                    && self.keeps_others(callable, &puts, object, field, &ty)
            })
            .collect();
        let setter = Arc::clone(self.grower.random.choose(&setters)?);
        let before = sequence.statements.len();
        let wanted = [(field, input.clone())];
        let Some(called) = self.call(sequence, &setter, Some(made), &wanted, depth) else {
            sequence.statements.truncate(before);
            return None;
        };
        let anew = self.setters.of(program, &setter).anew.is_some();
        Some(if anew { called } else { made })
    }

    /// A new object has to have what the old one had.
    fn keeps_others(
        &self,
        callable: &Callable,
        puts: &Puts,
        object: &Object,
        field: FieldId,
        ty: &str,
    ) -> bool {
        let Some(kept) = &puts.anew else {
            return true;
        };
        let others = object.fields.iter().filter(|(other, _)| *other != field);
        let mut others = others.filter_map(|(other, _)| self.selector(*other));
        self.grower.world.fits(&callable.result, ty) && others.all(|other| kept.contains(&other))
    }

    /// Whether a call with these puts can give the field its wanted value.
    fn agrees(&self, callable: &Callable, puts: &Puts, field: FieldId, input: &Input) -> bool {
        let Some(selector) = self.selector(field) else {
            return false;
        };
        let fits = |from: &From| match from {
            From::Parameter(_) => true,
            From::Field(number, inner) => {
                let parameter = callable.parameters.get(usize::from(*number));
                // To copy one of its own kind, there has to be one first.
                parameter.is_some_and(|parameter| {
                    !self.grower.world.fits(&callable.owner, parameter)
                        && self.field_of(parameter, *inner).is_some()
                })
            }
            From::Int(number) => *input == Input::Int(*number),
            From::Long(number) => *input == Input::Long(*number),
            From::Text(text) => matches!(input, Input::Text(wanted) if wanted == text),
            From::Null => *input == Input::Null,
        };
        let mut sources = puts.fields.iter().filter(|(put, _)| *put == selector);
        sources.any(|(_, from)| fits(from))
    }

    fn selector(&self, field: FieldId) -> Option<SelectorId> {
        let field = self.grower.world.program.field(field)?;
        Some(field.selector)
    }

    fn stand_in(
        &mut self,
        sequence: &mut Sequence,
        class: &Arc<StandIn>,
        object: &Object,
        depth: usize,
    ) -> Option<Var> {
        let mut operands = Vec::new();
        for parameter in &class.parameters {
            operands.push(self.grower.value(sequence, parameter, depth + 1)?);
        }
        let mut answered = Vec::new();
        for (method, input) in &object.results {
            let Some(number) = self.open(class, *method) else {
                continue;
            };
            let result = Arc::clone(&class.open.get(number)?.result);
            let number = u8::try_from(number).ok()?;
            if &*result != "V" && !answered.contains(&number) {
                operands.push(self.make(sequence, input, &result, depth + 1)?);
                answered.push(number);
            }
        }
        Some(sequence.push(Statement::StandIn {
            class: Arc::clone(class),
            answered,
            operands,
        }))
    }

    fn open(&self, class: &StandIn, method: MemberRef) -> Option<usize> {
        let selector = self.grower.world.program.selector(method.selector)?;
        class.open.iter().position(|open| {
            *open.name.as_bytes() == *selector.name
                && *open.descriptor.as_bytes() == *selector.descriptor
        })
    }
}
