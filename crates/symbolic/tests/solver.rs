//! The process behind the questions: it may be missing, die, or hang.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use crate::support;

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use recrash_symbolic::{Answer, Error, Options, Session, Solver};
use support::Subject;

const LIMIT: Duration = Duration::from_secs(5);

fn script(folder: &tempfile::TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    // Written by another process: what this one has open for writing, a child of another test inherits for a moment, and a
    // file that somebody writes to cannot be run.
    let written = Command::new("sh")
        .args([
            "-c",
            "printf '#!/bin/sh\\n%s\\n' \"$2\" > \"$1\" && chmod 755 \"$1\"",
            "sh",
        ])
        .arg(&path)
        .arg(text)
        .status()
        .unwrap();
    assert!(written.success());
    path
}

#[test]
fn scopes_models_and_cores_work() {
    let mut solver = Solver::start().unwrap();
    solver
        .tell("(declare-const x Int)\n(assert (! (> x 3) :named a))\n")
        .unwrap();
    assert_eq!(solver.check(LIMIT).unwrap(), Answer::Satisfiable);
    solver.push().unwrap();
    solver
        .tell("(assert (! (< x 9) :named b))\n(assert (! (< x 2) :named c))\n")
        .unwrap();
    assert_eq!(solver.check(LIMIT).unwrap(), Answer::Unsatisfiable);
    assert_eq!(solver.core().unwrap(), ["a", "c"]);
    solver.pop().unwrap();
    assert_eq!(solver.check(LIMIT).unwrap(), Answer::Satisfiable);
}

#[test]
fn a_process_that_was_asked_much_is_replaced_between_questions() {
    let folder = tempfile::tempdir().unwrap();
    let starts = folder.path().join("starts");
    let text = format!("echo one more >> {}\nexec z3 \"$@\"", starts.display());
    let mut solver = Solver::of(script(&folder, "counted", &text).to_str().unwrap()).unwrap();
    for number in 0..120 {
        solver.push().unwrap();
        let told = format!("(declare-const x Int)\n(assert (> x {number}))\n");
        solver.tell(&told).unwrap();
        solver.push().unwrap();
        solver.tell(&format!("(assert (< x {number}))\n")).unwrap();
        assert_eq!(solver.check(LIMIT).unwrap(), Answer::Unsatisfiable);
        solver.pop().unwrap();
        assert_eq!(solver.check(LIMIT).unwrap(), Answer::Satisfiable);
        solver.pop().unwrap();
    }
    let starts = std::fs::read_to_string(starts).unwrap();
    assert_eq!(starts.lines().count(), 3);
}

#[test]
fn a_missing_solver_is_named_with_the_way_out() {
    let Err(error) = Solver::of("no-such-solver") else {
        panic!("it started");
    };
    let said = error.to_string();
    assert!(
        said.contains("no-such-solver") && said.contains("apt-get install z3"),
        "{said}"
    );
}

#[test]
fn a_solver_that_dies_once_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let flag = folder.path().join("died");
    let text = format!(
        "[ -e {0} ] || {{ touch {0}; exit 1; }}; exec z3 \"$@\"",
        flag.display()
    );
    let path = script(&folder, "dies", &text);
    let mut solver = Solver::of(path.to_str().unwrap()).unwrap();
    assert_eq!(solver.check(LIMIT).unwrap(), Answer::Unknown);
    solver.tell("(assert false)\n").unwrap();
    assert_eq!(solver.check(LIMIT).unwrap(), Answer::Unsatisfiable);
}

#[test]
fn a_solver_that_always_dies_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = script(&folder, "dies", "exit 1");
    let mut solver = Solver::of(path.to_str().unwrap()).unwrap();
    let subject = Subject::new("Kinds");
    let target = subject.target("IllegalStateException", &["overflow"]);
    let session = Session::new(&subject.program);
    let mut last = None;
    for _ in 0..10 {
        last = session
            .solve(&target, 1, &Options::default(), &mut solver)
            .err();
    }
    assert!(matches!(last, Some(Error::SolverDies { .. })), "{last:?}");
}

#[test]
fn questions_that_take_the_solver_down_do_not_end_the_asking() {
    let folder = tempfile::tempdir().unwrap();
    let text = "while read -r line; do\n  [ \"$line\" != '(poison)' ] || exit 1\n  echo \"$line\"\ndone | z3 \"$@\"";
    let path = script(&folder, "poisoned", text);
    let mut solver = Solver::of(path.to_str().unwrap()).unwrap();
    for _ in 0..12 {
        solver.push().unwrap();
        solver.tell("(poison)\n").unwrap();
        assert_eq!(solver.check(LIMIT).unwrap(), Answer::Unknown);
        solver.pop().unwrap();
    }
    solver.push().unwrap();
    solver.tell("(assert false)\n").unwrap();
    assert_eq!(solver.check(LIMIT).unwrap(), Answer::Unsatisfiable);
}

#[test]
fn a_solver_that_hangs_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let path = script(&folder, "hangs", "exec sleep 60");
    let mut solver = Solver::of(path.to_str().unwrap()).unwrap();
    let start = Instant::now();
    let answer = solver.check(Duration::from_millis(100)).unwrap();
    assert_eq!(answer, Answer::Unknown);
    assert!(start.elapsed() < Duration::from_secs(30));
}
