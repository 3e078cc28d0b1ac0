//! Objects that a builder makes: `Order.builder().id(3).customer(customer).build()`.

use super::agreement::{Agreement, is_bookkeeping};
use super::made::{Blocked, Known, Made, Result};
use super::planner::Planner;
use super::shape::{Builder, Member, Step};
use super::stores::{Owner, Slot, Source};
use super::way::{Called, Gathering, How, Origin, Way};
use crate::descriptor;
use crate::names;
use crate::value::descriptor_of;
use recrash_heap::manifest::Value;
use recrash_heap::{Field, Object};
use recrash_report::{View, view};
use std::collections::BTreeMap;

/// Longer chains of calls are broken into lines.
const LONGEST_CHAIN: usize = 80;

/// A builder costs more to read than the constructor that says the same.
const COST: usize = 2;

/// A builder whose code does not say how a field gets its value rarely gives it the captured one.
const COST_OF_DOUBT: usize = 4;

impl<'s> Planner<'s, '_> {
    /// The way through a builder, if it gives the object its state.
    pub(super) fn gather<'o>(
        &mut self,
        object: &'o Object<'s>,
        fields: &[&'o Field<'o>],
        builder: &Builder,
    ) -> Option<Way<'o>> {
        let start = &builder.start;
        let result = builder.finish.result()?;
        let nameable = self.scope.class(&start.owner).is_some()
            && self.scope.class(&start.declared).is_some()
            && self.scope.class(&result).is_some();
        let start_name = start.factory.as_deref();
        if !nameable
            || !start_name.is_none_or(names::is_identifier)
            || !self.scope.admits_member(&start.owner, start.access)
            || !self.may_call(&builder.finish)
        {
            return None;
        }
        let wanted = self.wanted(object, builder);
        let parameters: Vec<String> = owned(descriptor::parameters(&start.descriptor));
        let mut arguments = Vec::new();
        for (number, parameter) in parameters.iter().enumerate() {
            let mut given = start.stores.iter();
            arguments.push(given.find_map(|(slot, source)| {
                let field = wanted
                    .get(slot)
                    .filter(|_| *source == Source::Parameter(number))?;
                Some((self.as_parameter(field, parameter)?, field.name.to_owned()))
            })?);
        }
        let mut gathering = Gathering {
            start: Called {
                owner: start.owner.clone(),
                name: start_name.unwrap_or("<init>").to_owned(),
                parameters,
                arguments,
            },
            builder: start.declared.clone(),
            steps: Vec::new(),
            chained: true,
            finish: builder.finish.name.clone(),
            result,
        };
        let mut rest: Vec<(&Field<'_>, How)> = Vec::new();
        let mut cost = COST;
        for field in object.kind.fields() {
            let source = builder.stores.get(&slot_of(field));
            let (gathered, agreement) = match source {
                Some(Source::Field(Owner::This, slot)) => {
                    let holder = wanted.get(slot).copied();
                    // What another field of the object has put there is there already.
                    if holder.is_none_or(|holder| !std::ptr::eq(holder, field)) {
                        let differs = holder.is_some_and(|holder| holder.value != field.value);
                        cost += COST_OF_DOUBT * usize::from(differs);
                        continue;
                    }
                    let initial = start.stores.get(slot);
                    let given = &gathering.start.arguments;
                    (Some(slot), self.agreement(initial, field, given))
                }
                source => (None, self.agreement(source, field, &[])),
            };
            if agreement == Agreement::Same || is_bookkeeping(field) {
                continue;
            }
            let calls = gathered.and_then(|slot| self.step(builder, slot, field));
            if let Some((calls, chained)) = calls {
                gathering.steps.extend(calls);
                gathering.chained &= chained;
            } else if agreement == Agreement::Unknown {
                cost += COST_OF_DOUBT * usize::from(!field.value.is_zero());
            } else if fields.iter().any(|known| std::ptr::eq(*known, field)) {
                let how = self.how(object, field)?;
                cost += how.cost();
                rest.push((field, how));
            }
        }
        Some(Way {
            origin: Origin::Builder(gathering),
            rest,
            cost,
        })
    }

    /// By fields of the builder: the field of the object that tells what must have been there.
    fn wanted<'o>(
        &self,
        object: &'o Object<'s>,
        builder: &Builder,
    ) -> BTreeMap<Slot, &'o Field<'o>> {
        let mut wanted = BTreeMap::new();
        for field in object.kind.fields() {
            let left_out = self.is_left_out(object.id, field.declared_in, field.name);
            if let Some(Source::Field(Owner::This, slot)) = builder.stores.get(&slot_of(field))
                && (!left_out || self.is_literal(field.value))
            {
                wanted.entry(slot.clone()).or_insert(field);
            }
        }
        wanted
    }

    /// The calls that bring a value into a field of the builder, and whether they answer with the builder.
    fn step(
        &self,
        builder: &Builder,
        slot: &Slot,
        field: &Field<'_>,
    ) -> Option<(Vec<Called>, bool)> {
        let possible = builder
            .steps
            .iter()
            .filter(|step| step.slot == *slot && self.may_call(&step.method));
        let chained = |step: &Step| {
            let result = step.method.result();
            result.is_some_and(|result| self.world.classes.is_a(&result, &builder.start.declared))
        };
        let call = |step: &Step, value: Value| Called {
            owner: step.method.owner.clone(),
            name: step.method.name.clone(),
            parameters: owned(descriptor::parameters(&step.method.descriptor)),
            arguments: vec![(value, field.name.to_owned())],
        };
        let mut adding = None;
        for step in possible {
            let parameters = descriptor::parameters(&step.method.descriptor);
            let parameter = parameters.first()?;
            if step.adds {
                adding = adding.or(Some(step));
            } else if let Some(value) = self.as_parameter(field, parameter) {
                return Some((vec![call(step, value)], chained(step)));
            }
        }
        let step = adding?;
        let collection = self.target(field.value)?;
        match view(self.world.graph, &collection) {
            View::Sequence { elements, .. } if !collection.class.starts_with('[') => {
                let calls = elements.into_iter().map(|element| call(step, element));
                Some((calls.collect(), chained(step)))
            }
            _ => None,
        }
    }

    fn may_call(&self, method: &Member) -> bool {
        names::is_identifier(&method.name) && self.scope.admits_member(&method.owner, method.access)
    }

    pub(super) fn gathered(&mut self, gathering: &Gathering, object: &Object<'s>) -> Result<Made> {
        let owner = &gathering.start.owner;
        let written = self
            .scope
            .class(owner)
            .ok_or_else(|| Blocked::because(format!("{owner} cannot be named here")))?;
        let start = match gathering.start.name.as_str() {
            "<init>" => format!("new {written}{}", self.taking(&gathering.start)?),
            name => format!("{written}.{name}{}", self.taking(&gathering.start)?),
        };
        let mut calls = Vec::new();
        for step in &gathering.steps {
            calls.push(format!(".{}{}", step.name, self.taking(step)?));
        }
        let finish = format!(".{}()", gathering.finish);
        let text = if gathering.chained {
            calls.push(finish);
            let whole = format!("{start}{}", calls.concat());
            if whole.len() <= LONGEST_CHAIN {
                whole
            } else {
                format!(
                    "{start}\n                {}",
                    calls.join("\n                ")
                )
            }
        } else {
            let builder = self.variable(&gathering.builder, &start)?;
            for call in calls {
                self.statement(&format!("{builder}{call};"));
            }
            format!("{builder}{finish}")
        };
        let result = descriptor_of(&gathering.result);
        let known = if gathering.result == object.class {
            Known::Exactly(result)
        } else {
            Known::Declared(result)
        };
        Ok(Made { text, known })
    }

    /// A builder whose methods do not answer with it needs a name.
    fn variable(&mut self, class: &str, made: &str) -> Result<String> {
        let declared = self
            .scope
            .class(class)
            .ok_or_else(|| Blocked::because(format!("{class} cannot be named here")))?;
        self.note_generic(class);
        let name = self.unique.take("builder");
        self.statement(&format!("{declared} {name} = {made};"));
        Ok(name)
    }

    fn taking(&mut self, called: &Called) -> Result<String> {
        let values = called.parameters.iter().zip(&called.arguments);
        let arguments = self.arguments((&called.owner, &called.name), values)?;
        Ok(format!("({})", arguments.join(", ")))
    }
}

fn slot_of(field: &Field<'_>) -> Slot {
    (field.declared_in.to_owned(), field.name.to_owned())
}

fn owned(parameters: Vec<&str>) -> Vec<String> {
    parameters.into_iter().map(str::to_owned).collect()
}
