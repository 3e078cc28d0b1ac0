//! The states that are found are made in a JVM, and the methods called: the exception must come from the line.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use std::fmt::Write as _;
use std::process::Command;

use recrash_classfile::{dotted, text};
use recrash_javabuild::Jdk;
use recrash_program::{ClassId, FieldId, Program};
use recrash_symbolic::{Input, Outcome, Precondition};
use support::Subject;

/// Java that makes a value.
fn expression(program: &Program, input: &Input) -> String {
    match input {
        Input::Any | Input::Null => "null".to_owned(),
        Input::Int(value) => value.to_string(),
        Input::Long(value) => format!("{value}L"),
        Input::Float(value) => format!("Float.intBitsToFloat({})", value.to_bits() as i32),
        Input::Double(value) => format!("Double.longBitsToDouble({}L)", value.to_bits() as i64),
        Input::Text(value) => format!("{value:?}"),
        Input::Object(object) => {
            let mut made = format!("Run.make({:?}", class(program, object.class));
            for (field, value) in &object.fields {
                let value = expression(program, value);
                let _ = write!(made, ", {:?}, {value}", field_name(program, *field));
            }
            for (method, value) in &object.results {
                let name = text(&program.selector(method.selector).unwrap().name);
                let _ = write!(made, ", {name:?}, {}", expression(program, value));
            }
            made + ")"
        }
        Input::Array(array) => {
            let name = class(program, array.class);
            let mut made = format!("Run.array({name:?}, {}", array.length);
            for (at, value) in &array.elements {
                let _ = write!(made, ", {at}, {}", expression(program, value));
            }
            made + ")"
        }
        Input::Again(id) => panic!("{id} is shared"),
    }
}

fn class(program: &Program, class: ClassId) -> String {
    dotted(&program.class_name(class))
}

fn field_name(program: &Program, field: FieldId) -> String {
    let selector = program.field(field).unwrap().selector;
    text(&program.selector(selector).unwrap().name)
}

fn call(program: &Program, owner: &str, found: &Precondition) -> String {
    let method = program.method(found.method).unwrap();
    let name = text(&program.selector(method.selector).unwrap().name);
    let mut values = found.arguments.iter().map(|it| expression(program, it));
    let receiver = if method.is_static() {
        "null".to_owned()
    } else {
        values.next().unwrap()
    };
    let values: Vec<String> = values.collect();
    let values = values.join(", ");
    format!("Run.run({owner:?}, {name:?}, {receiver}, new Object[] {{{values}}});\n")
}

/// Runs what was found for each crash, in one JVM.
fn execute(subject: &Subject, owner: &str, crashes: &[(&str, &str, Outcome)]) {
    let mut source =
        "public class Main { public static void main(String[] all) throws Exception {\n".to_owned();
    let mut expected = Vec::new();
    for (exception, mark, outcome) in crashes {
        assert!(!outcome.preconditions.is_empty(), "{mark}");
        for found in &outcome.preconditions {
            source.push_str(&call(&subject.program, owner, found));
            let class = exception.replace('/', ".");
            expected.push((
                format!("{class} {}", subject.line(mark)),
                format!("{mark}: {found:?}"),
            ));
        }
    }
    source.push_str("}}\n");
    let folder = tempfile::tempdir().unwrap();
    let main = folder.path().join("Main.java");
    std::fs::write(&main, &source).unwrap();
    let jdk = Jdk::find().unwrap();
    let run = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/java/Run.java");
    let compiled = Command::new(jdk.javac())
        .args(["-nowarn", "-d"])
        .arg(subject.classes())
        .arg(run)
        .arg(&main)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&compiled.stderr).into_owned();
    assert!(compiled.status.success(), "{said}\n{source}");
    let output = Command::new(jdk.home().join("bin/java"))
        .args(["-ea", "-cp"])
        .arg(subject.classes())
        .arg("Main")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    // What the programs print themselves has no exception in it.
    let thrown: Vec<&str> = said
        .lines()
        .filter(|line| *line == "nothing" || line.contains("Exception ") || line.contains("Error "))
        .collect();
    let problem = String::from_utf8_lossy(&output.stderr);
    assert_eq!(thrown.len(), expected.len(), "{said}\n{problem}");
    for (thrown, (expected, found)) in thrown.iter().zip(&expected) {
        assert_eq!(thrown, expected, "{found}");
    }
}

#[test]
fn what_is_found_crashes_where_it_should() {
    let subject = Subject::new("Kinds");
    let mut crashes = Vec::new();
    for (exception, mark) in [
        ("java/lang/ArithmeticException", "division"),
        ("java/lang/ArrayIndexOutOfBoundsException", "index"),
        ("java/lang/ClassCastException", "cast"),
        ("java/lang/NegativeArraySizeException", "negative"),
        ("java/lang/AssertionError", "assertion"),
        ("java/lang/IllegalStateException", "double"),
        ("java/lang/IllegalStateException", "bits"),
        ("java/lang/IllegalStateException", "overflow"),
        ("java/lang/IllegalStateException", "loop"),
        ("java/lang/IllegalStateException", "called"),
        ("java/lang/IllegalStateException", "built"),
        ("java/lang/IllegalStateException", "switched"),
    ] {
        let simple = exception.rsplit('/').next().unwrap();
        crashes.push((exception, mark, subject.solve(simple, &[mark])));
    }
    let below = [
        (
            "java/lang/NumberFormatException",
            "parse",
            ("java/lang/Integer", "parseInt"),
        ),
        (
            "java/lang/StringIndexOutOfBoundsException",
            "character",
            ("java/lang/String", "charAt"),
        ),
        (
            "java/lang/NullPointerException",
            "required",
            ("java/util/Objects", "requireNonNull"),
        ),
    ];
    for (exception, mark, inner) in below {
        crashes.push((
            exception,
            mark,
            subject.solve_below(exception, mark, inner, None),
        ));
    }
    let outer = subject.solve("IllegalArgumentException", &["inner", "outer"]);
    crashes.push(("java/lang/IllegalArgumentException", "inner", outer));
    execute(&subject, "Kinds", &crashes);
}

#[test]
fn the_papers_example_crashes_in_all_three_places() {
    let subject = Subject::new("ComponentImpl");
    let crashes: Vec<_> = [
        ("java/lang/RuntimeException", "crash a"),
        ("java/lang/NullPointerException", "crash b"),
        ("java/lang/NullPointerException", "crash c"),
    ]
    .into_iter()
    .map(|(exception, mark)| {
        let simple = exception.rsplit('/').next().unwrap();
        (exception, mark, subject.solve(simple, &[mark]))
    })
    .collect();
    execute(&subject, "ComponentImpl", &crashes);
}
