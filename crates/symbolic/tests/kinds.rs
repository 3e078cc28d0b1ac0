//! One crash of each kind: the initial condition, the way back, and the state that was found.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use recrash_symbolic::{Input, Outcome, Verdict};
use support::Subject;

fn first(outcome: &Outcome) -> &[Input] {
    assert_eq!(outcome.verdict, Verdict::Found, "{outcome:?}");
    &outcome.preconditions[0].arguments
}

fn int(input: &Input) -> i32 {
    match input {
        Input::Int(value) => *value,
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_kind_of_throw_is_solved() {
    let subject = Subject::new("Kinds");
    let divide = subject.solve("ArithmeticException", &["division"]);
    assert_eq!(int(&first(&divide)[0]), 3);
    assert!(int(&first(&divide)[1]) >= 10);

    let index = subject.solve("ArrayIndexOutOfBoundsException", &["index"]);
    let [Input::Object(this), Input::Int(at)] = first(&index) else {
        panic!("{index:?}");
    };
    let items = this.fields.iter().find_map(|(_, value)| match value {
        Input::Array(array) => Some(array.length),
        _ => None,
    });
    assert!(*at > 3 && items.unwrap() <= *at, "{this:?}");

    let cast = subject.solve("ClassCastException", &["cast"]);
    let [Input::Object(it)] = first(&cast) else {
        panic!("{cast:?}");
    };
    let names = |class| String::from_utf8_lossy(&subject.program.class_name(class)).into_owned();
    assert_eq!(names(it.class), "java/lang/Number");
    assert_eq!(names(it.not[0]), "java/lang/Integer");

    let negative = subject.solve("NegativeArraySizeException", &["negative"]);
    assert!(int(&first(&negative)[0]) < 5);
    let store = subject.solve("ArrayStoreException", &["store"]);
    assert!(matches!(first(&store), [Input::Array(_), Input::Object(_)]));
}

#[test]
fn exceptions_of_the_jdk_are_solved_through_its_methods() {
    let subject = Subject::new("Kinds");
    let parse = |message| {
        subject.solve_below(
            "java/lang/NumberFormatException",
            "parse",
            ("java/lang/Integer", "parseInt"),
            message,
        )
    };
    let unknown = parse(None);
    let Input::Text(text) = &first(&unknown)[0] else {
        panic!();
    };
    assert!(text.strip_prefix("n=").unwrap().parse::<i32>().is_err());
    let known = parse(Some("For input string: \"12x\""));
    assert_eq!(first(&known)[0], Input::Text("n=12x".to_owned()));

    let string = "java/lang/StringIndexOutOfBoundsException";
    let third = subject.solve_below(string, "character", ("java/lang/String", "charAt"), None);
    let Input::Text(text) = &first(&third)[0] else {
        panic!();
    };
    assert!(text.starts_with('-') && text.len() == 2, "{text}");

    // Somebody took the frames of the JDK out; what boxes the result cannot have thrown.
    let boxed = subject.solve(string, &["boxed"]);
    for known in &boxed.preconditions {
        assert!(known.text.contains("length() <= 1"), "{boxed:?}");
    }

    let null = "java/lang/NullPointerException";
    let objects = ("java/util/Objects", "requireNonNull");
    let required = subject.solve_below(null, "required", objects, None);
    assert_eq!(first(&required), [Input::Null, Input::Int(13)]);

    let next = subject.solve_below(
        "java/util/NoSuchElementException",
        "next",
        ("java/util/ArrayList$Itr", "next"),
        None,
    );
    assert!(
        next.preconditions[0].text.contains("!arg0.hasNext()"),
        "{next:?}"
    );
    let element = subject.solve_below(
        "java/lang/IndexOutOfBoundsException",
        "element",
        ("java/util/ArrayList", "get"),
        Some("Index: 3, Size: 2"),
    );
    assert!(
        element.preconditions[0].text.contains("arg0.size() == 2"),
        "{element:?}"
    );
    assert_eq!(int(&first(&element)[1]), 3);
}

#[test]
fn numbers_are_those_of_java() {
    let subject = Subject::new("Kinds");
    let illegal = "IllegalStateException";
    let double = subject.solve(illegal, &["double"]);
    let Input::Double(value) = first(&double)[0] else {
        panic!();
    };
    assert!(value * 2.0 > 5.0 && value < 2.75);
    let bits = int(&first(&subject.solve(illegal, &["bits"]))[0]);
    assert!(bits & 6 == 4 && (bits as u32) >> 28 == 15, "{bits}");
    let overflow = int(&first(&subject.solve(illegal, &["overflow"]))[0]);
    assert!(overflow > 0 && overflow.wrapping_add(10) < 0);
    let assertion = subject.solve("AssertionError", &["assertion"]);
    assert_eq!(first(&assertion)[0], Input::Long(77));
    assert!(
        assertion.preconditions[0]
            .text
            .contains("!Kinds.$assertionsDisabled")
    );
}

#[test]
fn loops_calls_switches_and_builders_are_followed() {
    let subject = Subject::new("Kinds");
    let illegal = "IllegalStateException";
    assert_eq!(first(&subject.solve(illegal, &["loop"]))[0], Input::Int(2));
    assert_eq!(
        first(&subject.solve(illegal, &["called"]))[0],
        Input::Int(21)
    );
    let built = subject.solve(illegal, &["built"]);
    assert_eq!(first(&built)[0], Input::Text("bc".to_owned()));
    let switched = subject.solve(illegal, &["switched"]);
    let [Input::Int(3 | 9), Input::Object(other)] = first(&switched) else {
        panic!("{switched:?}");
    };
    assert_eq!(other.fields.len(), 1);
}

#[test]
fn a_higher_level_starts_further_out() {
    let subject = Subject::new("Kinds");
    let outcome = subject.solve("IllegalArgumentException", &["inner", "outer"]);
    let Input::Text(text) = &first(&outcome)[1] else {
        panic!("{outcome:?}");
    };
    assert_eq!(text.len(), 4);
}

#[test]
fn what_contradicts_itself_is_unreachable() {
    let subject = Subject::new("Kinds");
    let never = subject.solve("IllegalStateException", &["never"]);
    assert_eq!(never.verdict, Verdict::Unreachable);
    let fresh = subject.solve("NullPointerException", &["fresh"]);
    assert_eq!(fresh.verdict, Verdict::Unreachable);
    let nothing = subject.solve("ClassCastException", &["fresh"]);
    assert!(matches!(nothing.verdict, Verdict::GaveUp(_)));
}
