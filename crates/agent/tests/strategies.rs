//! What each strategy brings back of the state that a frame saw on entry.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends at the first surprise"
)]

use crate::world;

use recrash_heap::manifest::{Patch, Value};
use recrash_heap::{EntryState, Kind, Snapshot};
use world::{Program, jdks, run};

/// `first.value=1`, `numbers[1]=6`: what differed when the frame of this method was entered, in words.
fn on_entry(snapshot: &Snapshot, method: &str) -> Vec<String> {
    let frames = &snapshot.manifest.frames;
    let frame = frames.iter().position(|f| f.element.method == method);
    let entry = EntryState::of(frames, frame.unwrap());
    let mut told: Vec<String> = entry.patches().map(|patch| told(snapshot, patch)).collect();
    told.sort();
    told
}

fn told(snapshot: &Snapshot, patch: &Patch) -> String {
    let object = snapshot.heap.object(patch.object).unwrap();
    let value = match patch.value {
        Value::Ref(id) => name(snapshot, id),
        Value::Int(number) => number.to_string(),
        Value::Boolean(value) => value.to_string(),
        other => format!("{other:?}"),
    };
    let dot = if patch.element().is_some() { "" } else { "." };
    format!("{}{dot}{}={value}", name(snapshot, object.id), patch.field)
}

/// Nodes by their names, other things by their classes.
fn name(snapshot: &Snapshot, id: recrash_heap::ObjectId) -> String {
    let object = snapshot.heap.object(id).unwrap();
    if let Kind::String(text) = &object.kind {
        return text.to_string();
    }
    let named = object.kind.fields().iter().find(|f| f.name == "name");
    match named.map(|field| field.value) {
        Some(Value::Ref(id)) => name(snapshot, id),
        _ => object.class.to_owned(),
    }
}

const NEAR: [&str; 6] = [
    "Changing.back=1",
    "Changing.count=1",
    "Changing.flag=false",
    "[I[1]=6",
    "[Ljava.lang.Object;[0]=seven",
    "first.value=1",
];

/// Those near, and more.
fn near_and(more: &[&str]) -> Vec<String> {
    let mut all: Vec<String> = NEAR.iter().chain(more).map(|&s| s.to_owned()).collect();
    all.sort();
    all
}

#[test]
fn every_strategy_brings_back_what_it_promises() {
    let deep = near_and(&[
        "eighth.value=8",
        "other.value=4",
        "second.value=2",
        "third.next=first",
        "third.value=3",
    ]);
    let promises = [
        ("reference", Vec::new()),
        // The changes are another class's.
        ("auto", Vec::new()),
        ("shallow", near_and(&[])),
        (
            "depth=2",
            near_and(&["eighth.value=8", "other.value=4", "second.value=2"]),
        ),
        // The method uses `next`, and no other field.
        ("shallow+used-fields", near_and(&["second.value=2"])),
        ("deep", deep),
    ];
    let program = Program::named("Changing");
    for jdk in jdks() {
        for (strategy, promise) in &promises {
            let run = run(&jdk, &program, &[], &format!("strategy={strategy}"));
            let place = format!("{strategy} in {}: {}", jdk.home().display(), run.messages);
            let snapshots = run.snapshots();
            assert_eq!(snapshots[0].manifest.strategy, *strategy, "{place}");
            // `inner` changed `back` in between, so `outer` tells of the whole object, changed or not.
            assert_eq!(on_entry(&snapshots[0], "outer"), *promise, "{place}");
        }
    }
}

#[test]
fn a_value_that_came_back_is_not_taken_for_the_one_in_between() {
    let jdk = &jdks()[0];
    let run = run(jdk, &Program::named("Changing"), &[], "strategy=shallow");
    assert_eq!(on_entry(&run.snapshots()[0], "inner"), ["Changing.back=-1"]);
}

#[test]
fn copies_give_way_when_the_program_needs_the_memory() {
    let program = Program::named("Greedy");
    for jdk in jdks() {
        let plain = world::plain(&jdk, &program);
        let run = run(&jdk, &program, &[], "strategy=deep");
        assert_eq!(run.status(), Some(0), "{}", run.stderr());
        assert_eq!(run.stdout(), String::from_utf8_lossy(&plain.stdout));
    }
}

#[test]
fn a_stack_that_ends_while_copying_costs_the_copy_only() {
    let program = Program::named("OverflowInObject");
    for jdk in jdks() {
        let run = run(&jdk, &program, &[], "strategy=deep");
        assert_eq!(run.status(), Some(1), "{}", run.stderr());
        assert_eq!(run.stdout(), "true\n");
        let snapshots = run.snapshots();
        let manifest = &snapshots[0].manifest;
        assert_eq!(manifest.throwables[0].class, "java.lang.StackOverflowError");
        let first = &manifest.frames[manifest.frames.len() - 2];
        assert!(first.captured.is_some(), "{:?}", first.element);
        assert!(!EntryState::of(&manifest.frames, manifest.frames.len() - 2).is_empty());
    }
}

#[test]
fn what_was_read_from_is_where_it_was() {
    // Places that a frame further in tells of first are told of again by those around it.
    let promises: [(&str, &[&str]); 9] = [
        ("stream", &["java.io.ByteArrayInputStream.pos=1"]),
        ("reader", &["java.io.CharArrayReader.pos=0"]),
        (
            "iterator",
            &[
                "java.util.ArrayList$Itr.cursor=1",
                "java.util.ArrayList$Itr.lastRet=0",
            ],
        ),
        ("fixed", &["java.util.Arrays$ArrayItr.cursor=0"]),
        (
            "buffer",
            &[
                "java.nio.HeapByteBuffer.limit=8",
                "java.nio.HeapByteBuffer.position=0",
            ],
        ),
        (
            "position",
            &[
                "java.text.ParsePosition.errorIndex=-1",
                "java.text.ParsePosition.index=1",
            ],
        ),
        (
            "tokens",
            &[
                "java.util.StringTokenizer.currentPosition=0",
                "java.util.StringTokenizer.newPosition=-1",
            ],
        ),
        ("characters", &["java.text.StringCharacterIterator.pos=1"]),
        ("field", &["java.io.ByteArrayInputStream.pos=0"]),
    ];
    let program = Program::named("Cursors");
    for jdk in jdks() {
        let run = run(&jdk, &program, &[], "strategy=auto");
        let snapshots = run.snapshots();
        for (method, promise) in promises {
            let told = on_entry(&snapshots[0], method);
            for place in promise {
                assert!(told.iter().any(|t| t == place), "{method}: {told:?}");
            }
        }
    }
}

#[test]
fn what_is_put_back_on_the_way_out_is_as_the_frame_left_it() {
    let program = Program::named("PutBack");
    for jdk in jdks() {
        let run = run(&jdk, &program, &[], "strategy=auto");
        let snapshot = &run.snapshots()[0];
        let inner = on_entry(snapshot, "inner");
        for place in [
            "[Ljava.lang.Object;[0]=outer",
            "[Ljava.lang.Object;[1]=inner",
            "java.io.CharArrayReader.pos=0",
            "java.util.ArrayList.size=2",
        ] {
            assert!(inner.iter().any(|t| t == place), "{place}: {inner:?}");
        }
        // It has emptied the list and closed the reader itself, and was given the one empty, the other open.
        let outer = on_entry(snapshot, "outer");
        let size = "java.util.ArrayList.size=0";
        assert!(outer.iter().any(|t| t == size), "{outer:?}");
        for told in [inner, outer] {
            let open = |t: &String| t.contains("CharArrayReader.buf=[");
            assert!(told.iter().any(open), "{told:?}");
        }
    }
}

#[test]
fn what_is_used_up_is_as_it_was_with_what_it_reads_from() {
    let program = Program::named("UsedUp");
    for jdk in jdks() {
        let run = run(&jdk, &program, &[], "strategy=auto");
        let told = on_entry(&run.snapshots()[0], "parse");
        assert_eq!(
            told,
            [
                "UsedUp$LineContext.longest=0",
                "UsedUp$LineReader.lines=0",
                "java.io.ByteArrayInputStream.pos=0",
            ],
            "{}",
            jdk.home().display()
        );
    }
}
