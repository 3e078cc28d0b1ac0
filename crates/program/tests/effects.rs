//! What programs are seen to change is what the analysis says they may change.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use recrash_program::{Effects, MethodName, SlotId, SlotName, View};
use support::{compile, jdk, program};

fn named(class: &str, name: &str, descriptor: &str) -> MethodName {
    MethodName {
        class: class.to_owned(),
        name: name.to_owned(),
        descriptor: descriptor.to_owned(),
    }
}

/// The slot that the observing program calls `class name`, or `elements kind`.
fn slot(effects: &Effects, class: &str, name: &str) -> Option<SlotId> {
    if class == "elements" {
        let kind = SlotName::Elements(name.to_owned());
        return effects.slots().find(|&slot| *effects.slot(slot) == kind);
    }
    effects.field(class, name)
}

#[test]
fn no_change_that_a_jvm_makes_is_missed() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Cases.java");
    let folder = tempfile::tempdir().unwrap();
    let classes = compile(folder.path(), &std::fs::read_to_string(source).unwrap());
    let effects = Effects::of(&program(&[&classes]));
    let output = Command::new(jdk().java())
        .arg("-cp")
        .arg(&classes)
        .arg("Cases")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut cases = BTreeSet::new();
    let mut missed = BTreeSet::new();
    let seen = String::from_utf8(output.stdout).unwrap();
    for line in seen.lines() {
        let [case, threw, class, field] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        cases.insert(case.to_owned());
        if class == "ran" {
            continue;
        }
        let method = effects
            .method(&named("Cases", case, "(LCases$World;)V"))
            .unwrap();
        let before_throw = threw == "true";
        // No code names a field that is only written by reflection.
        let slot = slot(&effects, class, field).unwrap_or(SlotId::ANY);
        let covered = method.may_write(slot, before_throw);
        if !covered {
            missed.insert(line.to_owned());
        }
    }
    assert!(cases.len() > 50, "{cases:?}");
    // A test of the safe answer alone would be none.
    let unknown: Vec<&String> = cases
        .iter()
        .filter(|case| {
            let method = effects.method(&named("Cases", case, "(LCases$World;)V"));
            method.unwrap().runs_unknown_code()
        })
        .collect();
    assert!(unknown.len() < 10, "{unknown:?}");
    assert!(seen.lines().count() > cases.len() + 50, "{seen}");
    assert_eq!(missed, BTreeSet::new());
}

const SHAPES: &str = "
public class Shapes {
    static final class Point { final int x; final int y; Point(int x, int y) { this.x = x; this.y = y; } }
    static final class Line { final Point from; final Point to; Line(Point a, Point b) { from = a; to = b; } }
    static final class Quiet { private int value; Quiet(int v) { value = v; } int get() { return value; } }
    static final class Counter { int n; void up() { n++; } }
    static final class Holder { final Counter counter = new Counter(); }
    static class Open { final int x = 1; }
    static class Changing extends Open { int y; void set(int y) { this.y = y; } }
    static final class HoldsOpen { final Open open = new Open(); }
    static final class HoldsArray { final int[] all = {1}; }

    Counter counter = new Counter();
    int last;

    static int sum(Point p) { return p.x + p.y; }
    static Point moved(Point p) { return new Point(p.x + 1, p.y); }
    void remember(int x) { last = x; }
    void upTwice(Counter other) { counter.up(); other.up(); check(other); last = other.n; }
    static void check(Counter c) { if (c.n > 5) throw new IllegalStateException(); }
    static void build() { Counter c = new Counter(); c.up(); }
    static void given(Counter c, int[] a, Point p) { a[0] = c.n + p.x; }
    int twice(Counter c) { for (int i = 0; i < 2; i++) c.up(); return c.n; }
}";

fn paths(effects: &Effects, view: View<'_>) -> BTreeSet<String> {
    let name = |slot| match effects.slot(slot) {
        SlotName::Field { name, .. } => name.clone(),
        other => format!("{other:?}"),
    };
    view.access_paths()
        .iter()
        .map(|path| {
            let mut text = path.parameter.to_string();
            for &slot in path.through.iter().chain([&path.slot]) {
                text = format!("{text}.{}", name(slot));
            }
            if path.before_throw { text + " !" } else { text }
        })
        .collect()
}

#[test]
fn small_methods_are_described_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let classes = compile(folder.path(), SHAPES);
    let effects = Effects::of(&program(&[&classes]));
    let method =
        |name: &str, descriptor: &str| effects.method(&named("Shapes", name, descriptor)).unwrap();
    let written = |name: &str, descriptor: &str| -> Vec<String> {
        paths(&effects, method(name, descriptor))
            .into_iter()
            .collect()
    };
    // Nothing can fail after the last write of a setter.
    assert_eq!(written("remember", "(I)V"), ["0.last"]);
    let twice = method("upTwice", "(LShapes$Counter;)V");
    assert_eq!(
        written("upTwice", "(LShapes$Counter;)V"),
        ["0.counter.n !", "0.last", "1.n !"]
    );
    assert!(!twice.is_pure() && !twice.runs_unknown_code());
    assert!(method("sum", "(LShapes$Point;)I").is_pure());
    let moved = method("moved", "(LShapes$Point;)LShapes$Point;");
    assert!(moved.is_pure() && moved.returns_fresh());
    assert!(method("build", "()V").is_pure());
    let given = method("given", "(LShapes$Counter;[ILShapes$Point;)V");
    let left: Vec<bool> = (0..3)
        .map(|parameter| given.leaves_parameter(parameter))
        .collect();
    assert_eq!(left, [true, false, true]);
    let n = effects.field("Shapes$Counter", "n").unwrap();
    assert!(given.reads().contains(n) && !given.may_write(n, false));
    assert!(method("twice", "(LShapes$Counter;)I").may_write(n, true));
}

#[test]
fn immutable_classes_hold_nothing_that_changes() {
    let folder = tempfile::tempdir().unwrap();
    let classes = compile(folder.path(), SHAPES);
    let effects = Effects::of(&program(&[&classes]));
    let found: Vec<&str> = effects
        .immutable_classes()
        .iter()
        .map(String::as_str)
        .collect();
    assert_eq!(
        found,
        ["Shapes$Line", "Shapes$Open", "Shapes$Point", "Shapes$Quiet"]
    );
}
