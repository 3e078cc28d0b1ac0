//! What may not be called unreachable, and ways that are easily missed.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use recrash_symbolic::{Input, Outcome, Reason, Verdict};
use support::Subject;

fn solve(subject: &Subject, mark: &str) -> Outcome {
    subject.solve("IllegalStateException", &[mark])
}

fn found(subject: &Subject, mark: &str) -> Vec<Input> {
    let outcome = solve(subject, mark);
    assert_eq!(outcome.verdict, Verdict::Found, "{mark}");
    outcome.preconditions[0].arguments.clone()
}

#[test]
fn nothing_is_unreachable_that_was_cut_or_assumed() {
    let subject = Subject::new("Doubts");
    for (mark, reason) in [
        ("another", Reason::Assumed),
        ("twice", Reason::Assumed),
        ("many", Reason::LoopBound),
    ] {
        let outcome = solve(&subject, mark);
        assert_eq!(outcome.verdict, Verdict::GaveUp(reason), "{mark}");
    }
}

#[test]
fn writes_of_callees_and_under_other_names_are_seen() {
    let subject = Subject::new("Doubts");
    assert_eq!(found(&subject, "setter")[1], Input::Int(8));
    let aliases = found(&subject, "aliases");
    let [Input::Object(one), Input::Again(other)] = aliases.as_slice() else {
        panic!("{aliases:?}");
    };
    assert_eq!(one.id, *other);
}

#[test]
fn handlers_are_ways_too() {
    let subject = Subject::new("Doubts");
    match &found(&subject, "caught")[0] {
        Input::Text(text) => assert!(text.parse::<i32>().is_err(), "{text}"),
        other => assert_eq!(*other, Input::Null),
    }
}

#[test]
fn a_virtual_call_chooses_the_class() {
    let subject = Subject::new("Doubts");
    let arguments = found(&subject, "shape");
    let [Input::Object(shape)] = arguments.as_slice() else {
        panic!("{arguments:?}");
    };
    let class = subject.program.class_name(shape.class);
    assert_eq!(String::from_utf8_lossy(&class), "Doubts$Square");
    assert!(matches!(shape.fields[0].1, Input::Int(7 | -7)), "{shape:?}");
}

#[test]
fn elements_and_statics_are_part_of_the_state() {
    let subject = Subject::new("Doubts");
    let outcome = solve(&subject, "element");
    let found = &outcome.preconditions[0];
    assert_eq!(found.statics[0].1, Input::Int(1));
    let arrays: Vec<_> = found
        .values()
        .into_iter()
        .filter_map(|value| match value {
            Input::Array(array) => Some(array),
            _ => None,
        })
        .collect();
    assert_eq!(arrays[0].elements, [(2, Input::Int(arrays[0].length))]);
}

#[test]
fn frames_of_the_jdk_may_be_missing() {
    let subject = Subject::new("Doubts");
    let outcome = subject.solve("StringIndexOutOfBoundsException", &["hidden"]);
    let Input::Text(text) = &outcome.preconditions[0].arguments[0] else {
        panic!("{outcome:?}");
    };
    assert!(text.len() <= 4);
}
