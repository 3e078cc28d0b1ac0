//! The events of a run: what each uses, and which of them can have to do with the failure.

use std::collections::HashMap;

use recrash_reduce::Needs;
use recrash_wire::retrace::{Member, Operand, Step, Steps};

/// Kinds of events, as the Java side numbers them.
pub(crate) mod kind {
    pub(crate) const NEW: u8 = 0;
    pub(crate) const CALL: u8 = 1;
    pub(crate) const FIELD: u8 = 2;
    pub(crate) const ARRAY: u8 = 3;
    pub(crate) const LAMBDA: u8 = 4;
    pub(crate) const PUT: u8 = 5;
}

/// The objects that an event uses, its receiver first.
pub(crate) fn used(step: &Step) -> impl Iterator<Item = u32> {
    let operands = std::iter::once(&step.receiver).chain(&step.arguments);
    operands.filter_map(object)
}

pub(crate) fn object(operand: &Operand) -> Option<u32> {
    match operand {
        Operand::Object { number } => Some(*number),
        _ => None,
    }
}

/// The object that an event gives.
pub(crate) fn gives(step: &Step) -> Option<u32> {
    u32::try_from(step.result).ok()
}

pub(crate) fn member<'a>(steps: &'a Steps, step: &Step) -> Option<&'a Member> {
    steps.members.get(step.member as usize)
}

pub(crate) fn is_static(step: &Step) -> bool {
    matches!(step.receiver, Operand::Nothing {}) && step.kind != kind::NEW
}

/// The first events up to and with `last` that share objects with it, near or far; two share one if either uses or gives it. Order does not count, so it is the
/// part of a graph that hangs together. With `statics`, calls of static methods of the inside are all related.
pub(crate) fn related(steps: &Steps, last: usize, statics: bool) -> Vec<u32> {
    let count = last + 1;
    let mut sets = Sets::new(count);
    let mut first: HashMap<u32, usize> = HashMap::new();
    let mut of_class: Option<usize> = None;
    for (at, step) in steps.steps.iter().enumerate().take(count) {
        for object in used(step).chain(gives(step)) {
            let other = *first.entry(object).or_insert(at);
            sets.join(at, other);
        }
        if statics && step.inside && is_static(step) {
            let other = *of_class.get_or_insert(at);
            sets.join(at, other);
        }
    }
    let wanted = sets.of(last);
    (0..count)
        .filter(|at| sets.of(*at) == wanted)
        .map(|at| at as u32)
        .collect()
}

/// The events without which the last of them makes no sense: those that gave what it uses, and what these use.
pub(crate) fn pinned(steps: &Steps, events: &[u32]) -> Vec<u32> {
    let givers = givers(steps, events);
    let mut pinned = Vec::new();
    let mut waiting: Vec<u32> = events.last().copied().into_iter().collect();
    while let Some(event) = waiting.pop() {
        if pinned.contains(&event) {
            continue;
        }
        pinned.push(event);
        let step = steps.steps.get(event as usize);
        let objects = step.into_iter().flat_map(used);
        waiting.extend(objects.filter_map(|object| givers.get(&object)).copied());
    }
    pinned.sort_unstable();
    pinned
}

/// By object, the first of these events that gives it. A builder gives itself again and again.
fn givers(steps: &Steps, events: &[u32]) -> HashMap<u32, u32> {
    let mut givers = HashMap::new();
    for event in events {
        let step = steps.steps.get(*event as usize);
        if let Some(object) = step.and_then(gives) {
            givers.entry(object).or_insert(*event);
        }
    }
    givers
}

/// Which of `items` need which others of them, by place: whoever uses an object needs the one of `events` that gave it.
pub(crate) fn needs(steps: &Steps, events: &[u32], items: &[u32]) -> Needs {
    let places: HashMap<u32, usize> = items.iter().copied().zip(0..).collect();
    let givers = givers(steps, events);
    let mut needs = Needs::new(items.len());
    for (at, event) in items.iter().enumerate() {
        let step = steps.steps.get(*event as usize);
        for object in step.into_iter().flat_map(used) {
            let giver = givers.get(&object).filter(|giver| *giver != event);
            if let Some(place) = giver.and_then(|giver| places.get(giver)) {
                needs.add(at, *place);
            }
        }
    }
    needs
}

/// Disjoint sets with union by size.
struct Sets {
    parents: Vec<u32>,
}

impl Sets {
    fn new(count: usize) -> Sets {
        Sets {
            parents: (0..count as u32).collect(),
        }
    }

    fn of(&mut self, mut item: usize) -> usize {
        while let Some(parent) = self.parents.get(item).map(|parent| *parent as usize) {
            if parent == item {
                break;
            }
            let above = self.parents.get(parent).copied().unwrap_or(parent as u32);
            if let Some(slot) = self.parents.get_mut(item) {
                *slot = above;
            }
            item = above as usize;
        }
        item
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.of(one), self.of(other));
        // The smaller number stays, so that the answer does not depend on the order.
        if let Some(slot) = self.parents.get_mut(one.max(other)) {
            *slot = one.min(other) as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `kind` of an event that uses and gives objects.
    fn step(inside: bool, uses: &[u32], gives: i32) -> Step {
        Step {
            kind: kind::CALL,
            member: 0,
            inside,
            threw: false,
            receiver: Operand::Nothing {},
            arguments: uses
                .iter()
                .map(|number| Operand::Object { number: *number })
                .collect(),
            result: gives,
            value: Operand::Nothing {},
        }
    }

    fn steps(steps: Vec<Step>) -> Steps {
        Steps {
            members: Vec::new(),
            steps,
        }
    }

    #[test]
    fn what_shares_an_object_near_or_far_is_related() {
        let all = steps(vec![
            step(true, &[], 0),
            step(true, &[], 1),
            step(true, &[], 2),
            step(true, &[0, 2], -1),
            step(true, &[1], -1),
            step(true, &[2], -1),
        ]);
        assert_eq!(related(&all, 5, false), [0, 2, 3, 5]);
        assert_eq!(related(&all, 5, true), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn what_gave_the_objects_of_the_last_event_stays_and_a_builder_is_given_once() {
        let all = steps(vec![
            step(true, &[], 0),
            step(true, &[0], 0),
            step(true, &[0], 1),
            step(true, &[], 2),
            step(true, &[1], -1),
        ]);
        assert_eq!(pinned(&all, &[0, 1, 2, 3, 4]), [0, 2, 4]);
    }
}
