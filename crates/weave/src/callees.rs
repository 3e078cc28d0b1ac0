//! What a method changes by calls of methods of its own class, on its receiver or with its arguments passed on.
//!
//! The quick answer, from one class alone: another class may override what is called here and write more. Only methods
//! with such a call are looked at, and most classes have none that writes.

use recrash_classfile::Error;

use crate::method::Method;
use crate::origin::{Heights, Origin, Origins, Write, only_receiver_is_written, trace};
use crate::saved::input_of;

/// What is known of one method before it is woven.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// If they had to be looked into.
    pub(crate) origins: Option<Origins>,
    /// Writes by callees, each at the first call that leads to it.
    pub(crate) writes: Vec<Write>,
}

/// More writes of one method than that are not followed to its callers: they would not keep as many.
const MOST_WRITES: usize = 16;

/// One for each method, or none at all if no call leads to a write.
pub(crate) fn look_into(
    methods: &[Method<'_>],
    heights: &mut Heights,
) -> Result<Vec<Known>, Error> {
    let has_calls = methods.iter().any(|m| !m.scan.own_calls.is_empty());
    if !has_calls || !methods.iter().any(writes_itself) {
        return Ok(Vec::new());
    }
    let mut class = Class {
        targets: Vec::with_capacity(methods.len()),
        writes: methods.iter().map(writes_itself).collect(),
        effects: methods.iter().map(|_| Vec::new()).collect(),
    };
    for method in methods {
        class.targets.push(targets_of(method, methods)?);
    }
    class.close_writes();
    let mut known: Vec<Known> = methods.iter().map(|_| Known::default()).collect();
    for (number, method) in methods.iter().enumerate() {
        let calls_writer = class.calls_writer(number);
        let quick = !calls_writer && only_receiver_is_written(method)?;
        if (calls_writer || writes_itself(method) && !quick)
            && let Some(known) = known.get_mut(number)
        {
            known.origins = Some(trace(method, heights)?);
        }
        if let Some(effects) = class.effects.get_mut(number) {
            *effects = own_effects(method, known.get(number).and_then(|k| k.origins.as_ref()))?;
        }
    }
    while class.follow_calls(&mut known) {}
    Ok(known)
}

/// A field that a method writes, itself or by its callees: of which input, and the Fieldref.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Effect {
    input: u16,
    index: u16,
}

/// By method.
struct Class {
    /// The Methodrefs it names and the methods that they are.
    targets: Vec<Vec<(u16, usize)>>,
    /// Whether it writes any field, itself or by its callees.
    writes: Vec<bool>,
    effects: Vec<Vec<Effect>>,
}

impl Class {
    fn calls_writer(&self, number: usize) -> bool {
        let writes = |&(_, target): &(u16, usize)| self.writes.get(target) == Some(&true);
        self.targets
            .get(number)
            .is_some_and(|targets| targets.iter().any(writes))
    }

    fn close_writes(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for number in 0..self.writes.len() {
                let calls_writer = self.calls_writer(number);
                if let Some(writes) = self.writes.get_mut(number)
                    && calls_writer
                    && !*writes
                {
                    *writes = true;
                    changed = true;
                }
            }
        }
    }

    /// Takes what callees write over to their callers; whether that was news.
    fn follow_calls(&mut self, known: &mut [Known]) -> bool {
        let mut changed = false;
        for (number, known) in known.iter_mut().enumerate() {
            let Some(origins) = &known.origins else {
                continue;
            };
            for call in &origins.calls {
                let targets = self.targets.get(number).map_or(&[][..], Vec::as_slice);
                let Some(&(_, target)) = targets.iter().find(|(index, _)| *index == call.index)
                else {
                    continue;
                };
                for &(callee, caller) in &call.passed {
                    let effects = self.effects.get(target).map_or(&[][..], Vec::as_slice);
                    let reached: Vec<u16> = effects
                        .iter()
                        .filter(|effect| effect.input == callee)
                        .map(|effect| effect.index)
                        .collect();
                    for index in reached {
                        let origin = Origin::Input(caller);
                        let write = Write::new(origin, index, call.pc);
                        if !known.writes.iter().any(|w| w.is_same_place(&write)) {
                            known.writes.push(write);
                        }
                        let effect = Effect {
                            input: caller,
                            index,
                        };
                        changed |= self.add(number, effect);
                    }
                }
            }
        }
        changed
    }

    fn add(&mut self, number: usize, effect: Effect) -> bool {
        match self.effects.get_mut(number) {
            Some(effects) if effects.len() < MOST_WRITES && !effects.contains(&effect) => {
                effects.push(effect);
                true
            }
            _ => false,
        }
    }
}

/// What constructors write is new: nobody had it on entry.
fn writes_itself(method: &Method<'_>) -> bool {
    !method.is_constructor && !method.scan.puts.is_empty()
}

fn targets_of(method: &Method<'_>, methods: &[Method<'_>]) -> Result<Vec<(u16, usize)>, Error> {
    let mut targets = Vec::with_capacity(method.scan.own_calls.len());
    for &index in &method.scan.own_calls {
        let called = method.class.pool.member(index)?;
        let target = methods.iter().position(|other| {
            other.member.name == called.name && other.member.descriptor == called.descriptor
        });
        targets.extend(target.map(|target| (index, target)));
    }
    Ok(targets)
}

fn own_effects(method: &Method<'_>, origins: Option<&Origins>) -> Result<Vec<Effect>, Error> {
    let mut effects = Vec::new();
    if !writes_itself(method) {
        return Ok(effects);
    }
    let mut add = |origin, index| {
        let field = method.class.pool.member(index)?;
        if let Some(input) = input_of(method, origin, &field) {
            effects.push(Effect { input, index });
        }
        Ok::<_, Error>(())
    };
    match origins {
        Some(origins) => {
            for write in origins.writes.iter().take(MOST_WRITES) {
                add(write.origin, write.index)?;
            }
        }
        None if method.has_receiver => {
            for &(index, _) in method.scan.puts.iter().take(MOST_WRITES) {
                add(Origin::Input(0), index)?;
            }
        }
        None => {}
    }
    Ok(effects)
}
