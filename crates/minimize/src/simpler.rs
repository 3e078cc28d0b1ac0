//! What is left is made simpler: other objects in place of some, one call in place of many, shorter texts, smaller
//! numbers.

use std::collections::HashMap;

use recrash_wire::retrace::{Operand, Step, Steps};

use crate::script::{gives, kind, member, object, used};

/// Texts of so many characters can be read.
const READABLE: usize = 60;

/// The same events under their own numbers, members that nobody uses gone.
pub(crate) fn compact(steps: &Steps, kept: &[u32]) -> Steps {
    let mut members = Vec::new();
    let mut numbers = HashMap::new();
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

/// Without what makes objects that nobody uses; the last event stays.
pub(crate) fn swept(steps: &Steps) -> Steps {
    let mut kept = Vec::new();
    let mut wanted = std::collections::HashSet::new();
    let count = steps.steps.len();
    for (at, step) in steps.steps.iter().enumerate().rev() {
        let makes = step.kind != kind::CALL && step.kind != kind::PUT;
        let used_later = gives(step).is_some_and(|object| wanted.contains(&object));
        if at + 1 == count || !makes || used_later {
            wanted.extend(used(step));
            kept.push(at as u32);
        }
    }
    kept.reverse();
    compact(steps, &kept)
}

/// The first object of each row of calls that hand on what the one before gave, `day.plusDays(1)`, with how many they are: one call with the sum
/// may do.
pub(crate) fn folded(steps: &Steps) -> Vec<Steps> {
    let mut givers: HashMap<u32, usize> = HashMap::new();
    for (at, step) in steps.steps.iter().enumerate() {
        if let Some(object) = gives(step) {
            givers.entry(object).or_insert(at);
        }
    }
    let mut found = Vec::new();
    let mut seen = vec![false; steps.steps.len()];
    for last in (0..steps.steps.len()).rev() {
        let mut row = vec![last];
        while let Some(before) = row.last().and_then(|at| before(steps, &givers, *at)) {
            row.push(before);
        }
        if row.len() < 2 || row.iter().any(|at| seen.get(*at) == Some(&true)) {
            continue;
        }
        for at in &row {
            if let Some(slot) = seen.get_mut(*at) {
                *slot = true;
            }
        }
        found.extend(with_sum(steps, &row));
    }
    found
}

/// The call whose result this one is made on, if it is the same method with one number.
fn before(steps: &Steps, givers: &HashMap<u32, usize>, at: usize) -> Option<usize> {
    let step = steps.steps.get(at)?;
    let giver = *givers.get(&object(&step.receiver)?)?;
    let other = steps.steps.get(giver)?;
    let adds = |step: &Step| {
        step.kind == kind::CALL
            && step.arguments.len() == 1
            && step.arguments.first().is_some_and(is_whole)
    };
    (giver < at && other.member == step.member && adds(step) && adds(other)).then_some(giver)
}

fn is_whole(operand: &Operand) -> bool {
    match operand {
        Operand::Number { kind, .. } => *kind == u16::from(b'I'),
        Operand::LongNumber { .. } => true,
        _ => false,
    }
}

/// The last call of a row with the sum of all, on what the first was made on.
fn with_sum(steps: &Steps, row: &[usize]) -> Option<Steps> {
    let (last, first) = (*row.first()?, *row.last()?);
    let numbers = row
        .iter()
        .filter_map(|at| steps.steps.get(*at)?.arguments.first());
    let sum: i64 = numbers
        .map(|number| match number {
            Operand::Number { value, .. } => i64::from(*value),
            Operand::LongNumber { value } => *value,
            _ => 0,
        })
        .try_fold(0, i64::checked_add)?;
    let mut changed = steps.clone();
    let receiver = steps.steps.get(first)?.receiver.clone();
    let step = changed.steps.get_mut(last)?;
    step.receiver = receiver;
    let argument = step.arguments.first_mut()?;
    *argument = match argument {
        Operand::LongNumber { .. } => Operand::LongNumber { value: sum },
        _ => Operand::Number {
            kind: u16::from(b'I'),
            value: i32::try_from(sum).ok()?,
        },
    };
    let kept: Vec<u32> = (0..changed.steps.len())
        .filter(|at| *at == last || !row.contains(at))
        .map(|at| at as u32)
        .collect();
    Some(compact(&changed, &kept))
}

/// With an older object of the same class in place of one that a call gave.
pub(crate) fn with_older(steps: &Steps) -> Vec<Steps> {
    let mut types: Vec<(u32, String)> = Vec::new();
    let mut found = Vec::new();
    for (at, step) in steps.steps.iter().enumerate() {
        let operands = std::iter::once(&step.receiver).chain(&step.arguments);
        for (place, operand) in operands.enumerate() {
            let Some(number) = object(operand) else {
                continue;
            };
            let Some((_, class)) = types.iter().find(|(known, _)| *known == number) else {
                continue;
            };
            let older = types
                .iter()
                .take_while(|(known, _)| *known != number)
                .filter(|(_, other)| other == class);
            for (other, _) in older {
                let mut changed = steps.clone();
                if let Some(step) = changed.steps.get_mut(at) {
                    let slot = match place.checked_sub(1) {
                        None => Some(&mut step.receiver),
                        Some(place) => step.arguments.get_mut(place),
                    };
                    if let Some(slot) = slot {
                        *slot = Operand::Object { number: *other };
                    }
                }
                found.push(changed);
            }
        }
        if let (Some(number), Some(member)) = (gives(step), member(steps, step))
            && !types.iter().any(|(known, _)| *known == number)
        {
            let class = match step.kind {
                kind::NEW => member.owner.clone(),
                _ => member
                    .descriptor
                    .rsplit(')')
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
            };
            types.push((
                number,
                class
                    .trim_start_matches('L')
                    .trim_end_matches(';')
                    .to_owned(),
            ));
        }
    }
    found
}

/// A text among the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TextPlace {
    step: usize,
    argument: usize,
}

/// The texts that are too long to read, each once though it may stand in several places.
pub(crate) fn long_texts(steps: &Steps) -> Vec<TextPlace> {
    let mut found = Vec::new();
    for (at, step) in steps.steps.iter().enumerate() {
        for (argument, operand) in step.arguments.iter().enumerate() {
            if matches!(operand, Operand::Text { value } if value.chars().count() > READABLE) {
                found.push(TextPlace { step: at, argument });
            }
        }
    }
    found
}

pub(crate) fn text_at(steps: &Steps, place: TextPlace) -> Option<&str> {
    match steps.steps.get(place.step)?.arguments.get(place.argument)? {
        Operand::Text { value } => Some(value),
        _ => None,
    }
}

pub(crate) fn with_text(steps: &Steps, place: TextPlace, text: &str) -> Steps {
    let mut changed = steps.clone();
    let argument = changed
        .steps
        .get_mut(place.step)
        .and_then(|step| step.arguments.get_mut(place.argument));
    if let Some(argument) = argument {
        *argument = Operand::Text {
            value: text.to_owned(),
        };
    }
    changed
}

/// Pieces of a text that can go by themselves: lines where there are many, else what lies between marks, else characters.
pub(crate) fn pieces(text: &str, finest: bool) -> Vec<&str> {
    if finest {
        let mut ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        ends.push(text.len());
        return ends
            .iter()
            .zip(ends.iter().skip(1))
            .filter_map(|(from, to)| text.get(*from..*to))
            .collect();
    }
    if text.lines().count() > 8 {
        return text.split_inclusive('\n').collect();
    }
    // Words and marks: markup, paths and expressions fall apart where a person would cut them.
    let mut found = Vec::new();
    let mut from = 0;
    let mut word = None;
    for (at, c) in text.char_indices() {
        let now = c.is_alphanumeric();
        if word.is_some_and(|word| !(word && now)) {
            found.extend(text.get(from..at));
            from = at;
        }
        word = Some(now);
    }
    found.extend(text.get(from..));
    found
}
