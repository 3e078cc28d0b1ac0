//! What a method changes by calls of methods of its own class, on its receiver or with its arguments passed on.
//!
//! The quick answer, from one class alone: another class may override what is called here and write more. Only methods
//! with such a call are looked at, and most classes have none that writes.

use recrash_classfile::{ClassFile, Error, Kind};

use crate::find::heights::Heights;
use crate::find::method::Method;
use crate::find::origin::{Origin, Origins, Write};
use crate::find::receiver::only_receiver_is_written;
use crate::find::tracer::trace;

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

/// By index of the constant pool: whether it is a Methodref that names the class itself, constructors aside.
pub(crate) fn own_methodrefs(class: &ClassFile<'_>) -> Vec<bool> {
    const METHODREF: u8 = 10;
    let pool = &class.pool;
    let is_own = |index| {
        pool.tag(index) == Some(METHODREF)
            && pool.class_of(index) == Ok(class.this_index)
            && pool.name_of(index).is_ok_and(|name| name != b"<init>")
    };
    (0..pool.count()).map(is_own).collect()
}

/// One for each method, or none at all if no call leads to a write.
pub(crate) fn look_into(
    methods: &[Method<'_>],
    own: &[bool],
    heights: &mut Heights,
) -> Result<Vec<Known>, Error> {
    let has_calls = methods.iter().any(|m| !m.scan.own_calls.is_empty());
    if !has_calls || !methods.iter().any(writes_itself) {
        return Ok(Vec::new());
    }
    let resolved = resolve(methods, own)?;
    let mut class = Class {
        targets: targets(methods, &resolved),
        resolved,
        followed: Vec::new(),
        writes: methods.iter().map(writes_itself).collect(),
        effects: methods.iter().map(|_| Vec::new()).collect(),
    };
    class.close_writes();
    let mut known: Vec<Known> = methods.iter().map(|_| Known::default()).collect();
    for ((method, known), effects) in methods.iter().zip(&mut known).zip(&mut class.effects) {
        let mut followed = method.scan.own_calls.clone();
        followed.retain(|index| is_writer(*index, &class.resolved, &class.writes));
        if writes_itself(method) && !only_receiver_is_written(method)? {
            known.origins = Some(trace(method, &followed, heights)?);
        }
        class.followed.push(followed);
        *effects = own_effects(method, known.origins.as_ref())?;
    }
    while class.follow_calls(methods, &mut known, heights)? {}
    Ok(known)
}

/// A field that a method writes, itself or by its callees: of which input, and the Fieldref.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Effect {
    input: u16,
    index: u16,
}

struct Class {
    /// By index of the constant pool, which method it is; all else is by method.
    resolved: Vec<Option<usize>>,
    /// The methods it calls.
    targets: Vec<Vec<usize>>,
    /// The Methodrefs by which it calls those that write.
    followed: Vec<Vec<u16>>,
    /// Whether it writes any field, itself or by its callees.
    writes: Vec<bool>,
    effects: Vec<Vec<Effect>>,
}

impl Class {
    /// Whether a method that is called has effects, as far as they are known.
    fn calls_effect(&self, followed: &[u16]) -> bool {
        followed.iter().any(|&index| {
            let target = self.resolved.get(usize::from(index)).copied().flatten();
            let effects = target.and_then(|target| self.effects.get(target));
            effects.is_some_and(|effects| !effects.is_empty())
        })
    }

    fn calls_writer(&self, number: usize) -> bool {
        let writes = |&target: &usize| self.writes.get(target) == Some(&true);
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
    fn follow_calls(
        &mut self,
        methods: &[Method<'_>],
        known: &mut [Known],
        heights: &mut Heights,
    ) -> Result<bool, Error> {
        let mut changed = false;
        for (number, (method, known)) in methods.iter().zip(known).enumerate() {
            let followed = self.followed.get(number).map_or(&[][..], Vec::as_slice);
            if !may_pass_on(method) || !self.calls_effect(followed) {
                continue;
            }
            let origins = match &mut known.origins {
                Some(origins) => origins,
                none => none.insert(trace(method, followed, heights)?),
            };
            for call in &origins.calls {
                if known.writes.len() >= MOST_WRITES {
                    break;
                }
                let Some(&Some(target)) = self.resolved.get(usize::from(call.index)) else {
                    continue;
                };
                for place in 0.. {
                    let Some(&effect) = self.effects.get(target).and_then(|e| e.get(place)) else {
                        break;
                    };
                    for &(_, caller) in call.passed.iter().filter(|(to, _)| *to == effect.input) {
                        let write = Write::new(Origin::Input(caller), effect.index, call.pc);
                        if !known.writes.iter().any(|w| w.is_same_place(&write)) {
                            known.writes.push(write);
                            changed |= self.add(number, caller, effect.index);
                        }
                    }
                }
            }
        }
        Ok(changed)
    }

    fn add(&mut self, number: usize, input: u16, index: u16) -> bool {
        let effect = Effect { input, index };
        match self.effects.get_mut(number) {
            Some(effects) if effects.len() < MOST_WRITES && !effects.contains(&effect) => {
                effects.push(effect);
                true
            }
            _ => false,
        }
    }
}

fn is_writer(methodref: u16, resolved: &[Option<usize>], writes: &[bool]) -> bool {
    let target = resolved.get(usize::from(methodref)).copied().flatten();
    target.is_some_and(|target| writes.get(target) == Some(&true))
}

/// Whether it has anything that a callee could write to.
fn may_pass_on(method: &Method<'_>) -> bool {
    method
        .inputs
        .iter()
        .any(|input| input.kind == Kind::Reference)
}

/// What constructors write is new: nobody had it on entry.
fn writes_itself(method: &Method<'_>) -> bool {
    !method.is_constructor && !method.scan.puts.is_empty()
}

/// By index of the constant pool, which method it is.
pub(crate) fn resolve(methods: &[Method<'_>], own: &[bool]) -> Result<Vec<Option<usize>>, Error> {
    let mut resolved = vec![None; own.len()];
    let Some(class) = methods.first().map(|method| method.class) else {
        return Ok(resolved);
    };
    for (index, target) in resolved.iter_mut().enumerate() {
        if own.get(index) == Some(&true) {
            let called = class.pool.member(index as u16)?;
            *target = methods.iter().position(|method| {
                method.member.name == called.name && method.member.descriptor == called.descriptor
            });
        }
    }
    Ok(resolved)
}

/// By method, the methods of the class that it calls.
pub(crate) fn targets(methods: &[Method<'_>], resolved: &[Option<usize>]) -> Vec<Vec<usize>> {
    let target = |&index: &u16| *resolved.get(usize::from(index))?;
    methods
        .iter()
        .map(|method| method.scan.own_calls.iter().filter_map(target).collect())
        .collect()
}

fn own_effects(method: &Method<'_>, origins: Option<&Origins>) -> Result<Vec<Effect>, Error> {
    let mut effects = Vec::new();
    if !writes_itself(method) {
        return Ok(effects);
    }
    let mut add = |origin, index| {
        let input = match origin {
            Origin::Input(input) => Some(input),
            Origin::Other => origin.input_of(method, &method.class.pool.member(index)?),
            Origin::Fresh => None,
        };
        effects.extend(input.map(|input| Effect { input, index }));
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
