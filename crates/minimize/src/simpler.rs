//! What is left is made simpler: other objects in place of some, one call in place of many, shorter texts.

use recrash_wire::retrace::Steps;

use crate::script::{gives, used};

/// The same events under their own numbers, members that nobody uses gone.
pub(crate) fn compact(steps: &Steps, kept: &[u32]) -> Steps {
    let mut members = Vec::new();
    let mut numbers = std::collections::HashMap::new();
    let mut compacted = Vec::new();
    for step in kept.iter().filter_map(|at| steps.steps.get(*at as usize)) {
        let Some(member) = steps.members.get(step.member as usize) else {
            continue;
        };
        let number = *numbers.entry(step.member).or_insert_with(|| {
            members.push(member.clone());
            (members.len() - 1) as u32
        });
        let mut step = step.clone();
        step.member = number;
        compacted.push(step);
    }
    Steps {
        members,
        steps: compacted,
    }
}

/// Without events whose only use was an object that nobody uses.
pub(crate) fn unused(steps: &Steps, at: usize) -> bool {
    let Some(number) = steps.steps.get(at).and_then(gives) else {
        return false;
    };
    !steps
        .steps
        .iter()
        .enumerate()
        .any(|(other, step)| other != at && used(step).any(|one| one == number))
}
