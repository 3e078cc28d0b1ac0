//! What the driver's own check compared: the call that gave the wrong value, and what it should have given.

use recrash_wire::retrace::{Compared, Operand, Origin, Steps};

use crate::script::member;

/// A call and what it should have given.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Wrong {
    /// The call, by its number among the events.
    pub(crate) event: usize,
    pub(crate) value: Operand,
    pub(crate) expected: Operand,
}

/// A side of the comparison.
#[derive(Clone, Copy)]
struct Side<'a> {
    value: &'a Operand,
    origin: &'a Origin,
}

/// Comparisons whose answer is another value than those compared.
const COMPARING: [&str; 8] = [
    "equals",
    "compare",
    "compareTo",
    "equalsIgnoreCase",
    "contentEquals",
    "deepEquals",
    "convert",
    "is",
];

/// The wrong value, from the condition that led to the throw and the words of the exception; else a reason.
pub(crate) fn wrong(
    steps: &Steps,
    decision: &[Compared],
    message: Option<&str>,
) -> Result<Wrong, String> {
    let [left, right] = decision else {
        return Err("the driver throws without a condition".to_owned());
    };
    let (left, right) = (side(left), side(right));
    if let Origin::Event { number } = left.origin
        && let Operand::Number { kind, value } = given(steps, *number)
        && *kind == u16::from(b'Z')
        && matches!(right.origin, Origin::Constant {})
    {
        return Ok(Wrong {
            event: *number as usize,
            value: given(steps, *number).clone(),
            expected: Operand::Number {
                kind: *kind,
                value: i32::from(*value == 0),
            },
        });
    }
    let (left, right) = compared(left, right);
    let (one, other) = (direct(steps, left), direct(steps, right));
    let (actual, expected) = match (one, other) {
        (Some(event), None) => (event, right),
        (None, Some(event)) => (event, left),
        (Some(one), Some(other)) => match comes_first(message, left.value, right.value) {
            Some(true) => (other, left),
            Some(false) => (one, right),
            None => {
                return Err("the check compares two calls, and its message does not tell which of them is expected".to_owned());
            }
        },
        (None, None) => {
            return Err("the check compares what it reckoned from several calls".to_owned());
        }
    };
    Ok(Wrong {
        event: actual,
        value: given(steps, actual as u32).clone(),
        expected: expected.value.clone(),
    })
}

fn side(compared: &Compared) -> Side<'_> {
    Side {
        value: &compared.value,
        origin: &compared.origin,
    }
}

/// What was compared where only the answer of a comparison decides.
fn compared<'a>(left: Side<'a>, right: Side<'a>) -> (Side<'a>, Side<'a>) {
    let Origin::Computed {
        operation,
        values,
        of,
    } = left.origin
    else {
        return (left, right);
    };
    let ([one, other], [from, from_other]) = (&values[..], &of[..]) else {
        return (left, right);
    };
    if !COMPARING.contains(&operation.as_str()) {
        return (left, right);
    }
    (
        Side {
            value: one,
            origin: from,
        },
        Side {
            value: other,
            origin: from_other,
        },
    )
}

fn given(steps: &Steps, event: u32) -> &Operand {
    steps
        .steps
        .get(event as usize)
        .map_or(&Operand::Nothing {}, |step| &step.value)
}

/// The call of the inside that gave it, as it is.
fn direct(steps: &Steps, side: Side<'_>) -> Option<usize> {
    let Origin::Event { number } = side.origin else {
        return None;
    };
    let step = steps.steps.get(*number as usize)?;
    member(steps, step)?;
    step.inside.then_some(*number as usize)
}

/// Whether the message has the first value before the other one: what is expected is told before what was seen.
fn comes_first(message: Option<&str>, one: &Operand, other: &Operand) -> Option<bool> {
    let message = message?;
    let (one, other) = (printed(one)?, printed(other)?);
    let at = |text: &str| {
        message
            .match_indices(text)
            .map(|(at, _)| at)
            .find(|at| is_whole(message, *at, text.len()))
    };
    match (at(&one), at(&other)) {
        (Some(one), Some(other)) if one != other => Some(one < other),
        _ => None,
    }
}

/// Not a part of a longer number or word.
fn is_whole(message: &str, at: usize, length: usize) -> bool {
    let before = message.get(..at).and_then(|text| text.chars().last());
    let behind = message
        .get(at + length..)
        .and_then(|text| text.chars().next());
    ![before, behind]
        .into_iter()
        .flatten()
        .any(char::is_alphanumeric)
}

fn printed(operand: &Operand) -> Option<String> {
    Some(match operand {
        Operand::Number { kind, value } if *kind == u16::from(b'Z') => (*value != 0).to_string(),
        Operand::Number { value, .. } => value.to_string(),
        Operand::LongNumber { value } => value.to_string(),
        Operand::DoubleNumber { value } => format!("{value:?}"),
        Operand::FloatNumber { value } => format!("{value:?}"),
        Operand::Text { value } => value.clone(),
        Operand::Nothing {} => "null".to_owned(),
        _ => return None,
    })
}
