//! What is left is made simpler: other objects in place of some, one call in place of many, shorter texts, smaller
//! numbers.

use std::collections::HashMap;

use recrash_wire::retrace::{Operand, Step, Steps};

use crate::script::{gives, kind, object, used};

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

/// Without what gives objects that nobody uses; the last event stays.
pub(crate) fn swept(steps: &Steps) -> Steps {
    let mut kept = Vec::new();
    let mut wanted = std::collections::HashSet::new();
    let count = steps.steps.len();
    for (at, step) in steps.steps.iter().enumerate().rev() {
        let unused = gives(step).is_some_and(|object| !wanted.contains(&object));
        if at + 1 == count || !unused {
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

/// With older objects in place of what calls gave: in all places those that a method was called on in place of what it gave there, and in
/// one place any older one.
pub(crate) fn with_older(steps: &Steps) -> Vec<Steps> {
    let mut found = Vec::new();
    let called = |step: &&Step| step.kind == kind::CALL && gives(step).is_some();
    let mut methods: Vec<u32> = steps
        .steps
        .iter()
        .filter(called)
        .map(|step| step.member)
        .collect();
    methods.dedup();
    for method in methods {
        let replaced: HashMap<u32, u32> = steps
            .steps
            .iter()
            .filter(|step| step.kind == kind::CALL && step.member == method)
            .filter_map(|step| Some((gives(step)?, object(&step.receiver)?)))
            .collect();
        let mut changed = steps.clone();
        for step in changed
            .steps
            .iter_mut()
            .filter(|step| step.member != method)
        {
            for operand in std::iter::once(&mut step.receiver).chain(&mut step.arguments) {
                if let Some(other) = object(operand).and_then(|number| replaced.get(&number)) {
                    *operand = Operand::Object { number: *other };
                }
            }
        }
        found.push(changed);
    }
    let mut older: Vec<u32> = Vec::new();
    for (at, step) in steps.steps.iter().enumerate() {
        for place in 0..=step.arguments.len() {
            let number = operand_at(step, place).and_then(object);
            let before = older.iter().take_while(|other| Some(**other) != number);
            for other in before.filter(|_| number.is_some()) {
                let mut changed = steps.clone();
                let slot = changed
                    .steps
                    .get_mut(at)
                    .and_then(|step| match place.checked_sub(1) {
                        None => Some(&mut step.receiver),
                        Some(place) => step.arguments.get_mut(place),
                    });
                if let Some(slot) = slot {
                    *slot = Operand::Object { number: *other };
                    found.push(changed);
                }
            }
        }
        older.extend(gives(step).filter(|number| !older.contains(number)));
    }
    found
}

/// The receiver, then the arguments.
fn operand_at(step: &Step, place: usize) -> Option<&Operand> {
    match place.checked_sub(1) {
        None => Some(&step.receiver),
        Some(place) => step.arguments.get(place),
    }
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

/// With other texts in some places.
pub(crate) fn with_texts(steps: &Steps, texts: &[(TextPlace, String)]) -> Steps {
    let mut changed = steps.clone();
    for (place, text) in texts {
        let argument = changed
            .steps
            .get_mut(place.step)
            .and_then(|step| step.arguments.get_mut(place.argument));
        if let Some(argument) = argument {
            *argument = Operand::Text {
                value: text.clone(),
            };
        }
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

/// With one record of long texts and its number, `getChildAt(2810)`, in place of all: what the number counts is a mark that all the texts have
/// more often than that.
pub(crate) fn with_one_record(steps: &Steps) -> Vec<Steps> {
    let places = long_texts(steps);
    let texts: Vec<&str> = places
        .iter()
        .filter_map(|place| text_at(steps, *place))
        .collect();
    let mut numbers: Vec<i32> = steps
        .steps
        .iter()
        .flat_map(|step| &step.arguments)
        .filter_map(|operand| match operand {
            Operand::Number { kind, value } if *kind == u16::from(b'I') && *value > 1 => {
                Some(*value)
            }
            _ => None,
        })
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    let marks = marks(&texts);
    let mut found = Vec::new();
    for number in numbers {
        let often = marks
            .iter()
            .filter(|(_, count)| *count as i64 > i64::from(number));
        for (mark, _) in often.take(MOST_MARKS) {
            let shorter: Vec<(TextPlace, String)> = places
                .iter()
                .zip(&texts)
                .filter_map(|(place, text)| Some((*place, record(text, mark, number as usize)?)))
                .collect();
            let mut changed = with_texts(steps, &shorter);
            for operand in changed
                .steps
                .iter_mut()
                .flat_map(|step| &mut step.arguments)
            {
                if let Operand::Number { value, .. } = operand
                    && *value == number
                {
                    *value = 0;
                }
            }
            found.push(changed);
        }
    }
    found
}

const MOST_MARKS: usize = 12;

/// A sign and the word behind it, with how often all texts have them, the rarest first.
fn marks(texts: &[&str]) -> Vec<(String, usize)> {
    let mut least: HashMap<String, usize> = HashMap::new();
    for (number, text) in texts.iter().enumerate() {
        let mut counts: HashMap<String, usize> = HashMap::new();
        let pieces = pieces(text, false);
        for (sign, word) in pieces.iter().zip(pieces.iter().skip(1)) {
            if !sign.starts_with(char::is_alphanumeric) && word.starts_with(char::is_alphanumeric) {
                *counts.entry(format!("{sign}{word}")).or_default() += 1;
            }
        }
        if number == 0 {
            least = counts;
        } else {
            least.retain(|mark, count| match counts.get(mark) {
                Some(other) => {
                    *count = (*count).min(*other);
                    true
                }
                None => false,
            });
        }
    }
    let mut marks: Vec<(String, usize)> = least.into_iter().collect();
    marks.sort_by(|one, other| one.1.cmp(&other.1).then_with(|| one.0.cmp(&other.0)));
    marks
}

/// What is before the first record, the wanted one and the last, which has what is behind all.
fn record(text: &str, mark: &str, number: usize) -> Option<String> {
    let starts: Vec<usize> = text.match_indices(mark).map(|(at, _)| at).collect();
    let (first, last) = (*starts.first()?, *starts.last()?);
    let (from, to) = (*starts.get(number)?, starts.get(number + 1).copied());
    let head = text.get(..first)?;
    let wanted = text.get(from..to.unwrap_or(text.len()))?;
    let tail = if to.is_some() { text.get(last..)? } else { "" };
    Some(format!("{head}{wanted}{tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fall_apart_at_words_and_signs_and_long_ones_at_lines() {
        assert_eq!(
            pieces("<a b='1'/>", false),
            ["<", "a", " ", "b", "=", "'", "1", "'", "/", ">"]
        );
        assert_eq!(pieces("ab", true), ["a", "b"]);
        let lines = "x y\n".repeat(9);
        assert_eq!(pieces(&lines, false).len(), 9);
        assert_eq!(pieces(&lines, false).concat(), lines);
    }

    #[test]
    fn a_record_is_kept_with_what_is_around_all() {
        let text = "<l><e>0</e><e>1</e><e>2</e></l>";
        let record = |number| record(text, "<e", number).unwrap();
        assert_eq!(record(1), "<l><e>1</e><e>2</e></l>");
        assert_eq!(record(2), "<l><e>2</e></l>");
        assert_eq!(marks(&[text]).last(), Some(&("<e".to_owned(), 3)));
    }
}
