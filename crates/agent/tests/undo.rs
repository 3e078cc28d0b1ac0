//! With the strategy undo, what each frame saw on entry is in the snapshot, and everything else is as without it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::world;

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

/// What `Wheel.stop` found.
fn found_by_stop(run: &Run) -> Vec<(&'static str, Value)> {
    let snapshots = run.snapshots();
    let snapshot = &snapshots[0];
    let (at, captured) = frame(snapshot, "stop");
    let entry = |object, place| on_entry(snapshot, at, object, place);
    let this = id(captured.receiver);
    let arguments = captured.arguments.iter();
    let [other, ledger, tally] = arguments
        .map(|argument| id(argument.value))
        .collect::<Vec<_>>()
        .try_into()
        .unwrap();
    let numbers = |owner| entry(id(entry(owner, "numbers")), "[0]");
    let patches = EntryState::of(&snapshot.manifest.frames, at);
    let all = patches.of_object(ObjectId(0)).find(|it| it.field == "all");
    vec![
        ("this.stopped", entry(this, "stopped")),
        ("other.turns", entry(other, "turns")),
        ("ledger.last", entry(ledger, "last")),
        ("ledger.numbers[0]", numbers(ledger)),
        ("tally.count", entry(tally, "count")),
        ("tally.last", entry(tally, "last")),
        ("tally.numbers[0]", numbers(tally)),
        ("Tally.all", all.map_or(Value::Null, |patch| patch.value)),
    ]
}

/// `Hot`, for as long as it takes until a class gives way, and how long that was.
fn given_way(jdk: &recrash_javabuild::Jdk, options: &str) -> (Run, u32) {
    let mut millis = 2500;
    while millis < 60_000 {
        let run = hot(jdk, millis, options);
        if run.snapshots()[0]
            .manifest
            .limits
            .join("\n")
            .contains("Wheel wrote too often")
        {
            return (run, millis);
        }
        millis *= 2;
    }
    panic!("nobody gives way on {}", jdk.home().display());
}

fn hot(jdk: &recrash_javabuild::Jdk, millis: u32, options: &str) -> Run {
    let time = format!("-Dmillis={millis}");
    let program = Program::named("Hot");
    run(jdk, &program, &["-Xverify:all", &time], options)
}

#[test]
fn a_frame_that_was_entered_before_its_class_gave_way_is_read_as_it_was_woven() {
    for jdk in jdks() {
        // The whole stack is read when the exception leaves its first frame.
        let options = "strategy=undo,on=java.lang.IllegalStateException";
        let (run, _) = given_way(&jdk, options);
        let snapshots = run.snapshots();
        let (at, captured) = frame(&snapshots[0], "spin");
        let turns = on_entry(&snapshots[0], at, id(captured.receiver), "turns");
        // What the frame it called has saved is the earliest that is known.
        assert_eq!(turns, Value::Int(10), "{}", jdk.home().display());
    }
}

#[test]
fn a_class_that_writes_all_the_time_gives_way_alone_and_unless_told_not_to() {
    for jdk in jdks() {
        let place = jdk.home().display();
        let (run, millis) = given_way(&jdk, "strategy=undo");
        let late = found_by_stop(&run);
        let (zero, ten) = (Value::Int(0), Value::Int(10));
        let expected = [
            // A field of its own is saved, another object's is not.
            ("this.stopped", Value::Boolean(false)),
            ("other.turns", Value::Int(1)),
            // Nobody but itself writes to it.
            ("ledger.last", zero),
            ("ledger.numbers[0]", zero),
            // The class that gave way wrote a part of it: all of it is late.
            ("tally.count", Value::Int(1)),
            ("tally.last", ten),
            ("tally.numbers[0]", ten),
            ("Tally.all", Value::Null),
        ];
        assert_eq!(late, expected, "{place}");
        let before = expected.map(|(name, value)| match value {
            Value::Boolean(_) => (name, value),
            _ => (name, zero),
        });
        for (millis, options) in [(1, "strategy=undo"), (millis, "strategy=undo+hot")] {
            let run = hot(&jdk, millis, options);
            let limits = &run.snapshots()[0].manifest.limits;
            assert_eq!(found_by_stop(&run), before, "{options} on {place}");
            assert!(limits.is_empty(), "{options} on {place}: {limits:?}");
        }
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
