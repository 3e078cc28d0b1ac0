//! With the strategy undo, what each frame saw on entry is in the snapshot, and everything else is as without it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod world;

use recrash_heap::manifest::{CapturedFrame, Patch};
use recrash_heap::{EntryState, Kind, ObjectId, Snapshot, Value};
use world::{Program, Run, jdks, plain, run};

fn undone(jdk: &recrash_javabuild::Jdk, program: &str) -> Run {
    run(
        jdk,
        &Program::named(program),
        &["-Xverify:all"],
        "strategy=undo",
    )
}

/// The frame of that method.
fn frame<'s>(snapshot: &'s Snapshot, method: &str) -> (usize, &'s CapturedFrame) {
    let mut frames = snapshot.manifest.frames.iter().enumerate();
    let (number, frame) = frames
        .find(|(_, frame)| frame.element.method == method)
        .unwrap();
    (number, frame.captured.as_ref().unwrap())
}

fn id(value: Value) -> ObjectId {
    let Value::Ref(id) = value else {
        panic!("{value:?} is no object")
    };
    id
}

/// What a place held on entry to a frame: patched, or as it still is.
fn on_entry(snapshot: &Snapshot, frame: usize, object: ObjectId, place: &str) -> Value {
    let entry = EntryState::of(&snapshot.manifest.frames, frame);
    let patched = entry
        .of_object(object)
        .find(|patch| patch.field == place)
        .map(|patch: &Patch| patch.value);
    patched.unwrap_or_else(|| match snapshot.heap.object(object).unwrap().kind {
        Kind::Array { elements, .. } => {
            elements[place.trim_matches(['[', ']']).parse::<usize>().unwrap()]
        }
        kind => {
            let mut fields = kind.fields().iter();
            fields.find(|field| field.name == place).unwrap().value
        }
    })
}

#[test]
fn every_frame_is_led_back_to_its_entry() {
    for jdk in jdks() {
        let run = undone(&jdk, "Undo");
        let snapshots = run.snapshots();
        let snapshot = &snapshots[0];
        let texts = |value| match snapshot.heap.object(id(value)).unwrap().kind {
            Kind::String(text) => text.to_string(),
            other => panic!("{other:?}"),
        };
        // By frame: count, name, numbers[1], total, size of the list.
        for (method, count, name, number, total, size) in [
            ("inner", 2, "second", 60, 10, 1),
            ("outer", 1, "first", 6, 1, 0),
        ] {
            let (at, captured) = frame(snapshot, method);
            let (this, numbers) = (id(captured.receiver), id(captured.arguments[0].value));
            let value = |object, place| on_entry(snapshot, at, object, place);
            let context = format!("{method} on {}", jdk.home().display());
            assert_eq!(value(this, "count"), Value::Int(count), "{context}");
            assert_eq!(texts(value(this, "name")), name, "{context}");
            assert_eq!(value(numbers, "[1]"), Value::Int(number), "{context}");
            assert_eq!(value(ObjectId(0), "total"), Value::Int(total), "{context}");
            let list = id(value(this, "list"));
            assert_eq!(value(list, "size"), Value::Int(size), "{context}");
        }
    }
}

#[test]
fn what_the_journal_no_longer_holds_leaves_a_state_that_was() {
    for jdk in jdks() {
        let run = undone(&jdk, "LongPast");
        let snapshots = run.snapshots();
        let (at, captured) = frame(&snapshots[0], "run");
        let side = |name| match on_entry(&snapshots[0], at, id(captured.receiver), name) {
            Value::Int(number) => number,
            other => panic!("{other:?}"),
        };
        let (left, right) = (side("left"), side("right"));
        assert!(left == right || left == right + 1, "{left} {right}");
        assert!((100_000..200_000).contains(&right), "{right}");
    }
}

/// What `Wheel.stop` found: `stopped` of its receiver, `turns` of the other wheel, `last` of the ledger; and what is said to
/// be missing.
fn found_by_stop(run: &Run) -> ([Value; 3], String) {
    let snapshots = run.snapshots();
    let snapshot = &snapshots[0];
    let (at, captured) = frame(snapshot, "stop");
    let entry = |value, place| on_entry(snapshot, at, id(value), place);
    let found = [
        entry(captured.receiver, "stopped"),
        entry(captured.arguments[0].value, "turns"),
        entry(captured.arguments[1].value, "last"),
    ];
    (found, snapshot.manifest.limits.join("\n"))
}

#[test]
fn a_class_that_writes_all_the_time_gives_way_alone_and_unless_told_not_to() {
    const LONG: u32 = 6000;
    for jdk in jdks() {
        let run_for = |millis: u32, options| {
            let time = format!("-Dmillis={millis}");
            let program = Program::named("Hot");
            run(&jdk, &program, &["-Xverify:all", &time], options)
        };
        let place = jdk.home().display();
        let before = [Value::Boolean(false), Value::Int(0), Value::Int(0)];
        for (millis, options) in [(1, "strategy=undo"), (LONG, "strategy=undo+hot")] {
            let (found, limits) = found_by_stop(&run_for(millis, options));
            assert_eq!(found, before, "{place}: {limits}");
            assert!(!limits.contains("too often"), "{place}: {limits}");
        }
        let (long, limits) = found_by_stop(&run_for(LONG, "strategy=undo"));
        // The receiver's own field is saved, the other object's is late, and the class that writes seldom is as before.
        let late = [Value::Boolean(false), Value::Int(1), Value::Int(0)];
        assert_eq!(long, late, "{place}: {limits}");
        assert!(
            limits.contains("Wheel wrote too often"),
            "{place}: {limits}"
        );
    }
}

#[test]
fn programs_behave_and_are_captured_as_without_it() {
    for jdk in jdks() {
        for program in Program::all() {
            if !program.has_fixed_snapshots() || !program.runs_in(&jdk) {
                continue;
            }
            let run = undone(&jdk, &program.name);
            let place = format!(
                "{} in {}\n{}{}",
                program.name,
                jdk.home().display(),
                run.messages,
                run.stderr()
            );
            let (found, expected) = (run.told(&program), program.snapshots.concat());
            assert_eq!(found.concat(), expected, "{place}");
            assert_eq!(run.status(), Some(program.exit), "{place}");
        }
    }
}

#[test]
fn a_stack_overflow_is_the_program_s_own() {
    for jdk in jdks() {
        let program = Program::named("Overflow");
        let expected = plain(&jdk, &program);
        let run = run(
            &jdk,
            &program,
            &["-XX:TieredStopAtLevel=1"],
            "strategy=undo",
        );
        assert_eq!(run.status(), expected.status.code());
        assert!(!run.stderr().contains("$Recrash"), "{}", run.stderr());
    }
}

#[test]
fn what_a_thread_overwrote_goes_with_it() {
    for jdk in jdks() {
        let run = undone(&jdk, "EndedThreads");
        assert_eq!(run.stdout().trim_end(), "collected", "{}", run.stderr());
    }
}
