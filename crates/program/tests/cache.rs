//! Effects are kept by the hash of what they come from; what cannot be trusted is computed anew.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use std::path::Path;

use recrash_program::{Analysis, Cache, ClassPath, MethodName};
use support::{compile, jdk};

const COUNTER: &str = "public class Counter { int n; void up() { n++; } int get() { return n; } }";

fn analyze(cache: &Cache, classes: &Path) -> Analysis {
    let class_path = ClassPath::open([classes], Some(jdk().home()), 17).unwrap();
    cache.analyze(class_path).unwrap()
}

fn is_pure(analysis: &Analysis, name: &str, descriptor: &str) -> bool {
    let method = MethodName {
        class: "Counter".to_owned(),
        name: name.to_owned(),
        descriptor: descriptor.to_owned(),
    };
    analysis.effects.method(&method).unwrap().is_pure()
}

#[test]
fn effects_are_computed_once_until_a_class_changes() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().join("cache"));
    let classes = compile(folder.path(), COUNTER);
    let first = analyze(&cache, &classes);
    assert!(!first.from_cache && first.note.is_none());
    let second = analyze(&cache, &classes);
    assert!(second.from_cache && second.file == first.file);
    for analysis in [&first, &second] {
        assert!(is_pure(analysis, "get", "()I") && !is_pure(analysis, "up", "()V"));
    }
    let classes = compile(folder.path(), &COUNTER.replace("n++", "int m = n + 1"));
    let third = analyze(&cache, &classes);
    assert!(!third.from_cache && third.file != first.file);
    assert!(is_pure(&third, "up", "()V"));
    let left = std::fs::read_dir(cache.folder()).unwrap().count();
    assert_eq!(
        left, 3,
        "advice, of each content effects, and no temporary file"
    );
}

#[test]
fn a_damaged_or_foreign_cache_is_thrown_away_with_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().join("cache"));
    let classes = compile(folder.path(), COUNTER);
    let file = analyze(&cache, &classes).file.unwrap();
    let whole = std::fs::read(&file).unwrap();
    let flipped = |place: usize| {
        let mut bytes = whole.clone();
        bytes[place] ^= 1;
        bytes
    };
    for (content, reason) in [
        (whole[..10].to_vec(), "is cut off"),
        (whole[..whole.len() / 2].to_vec(), "is damaged"),
        (flipped(whole.len() - 5), "is damaged"),
        (flipped(8), "is of another version of recrash"),
        (
            b"something else that is quite long".to_vec(),
            "is no cache of recrash",
        ),
    ] {
        std::fs::write(&file, content).unwrap();
        let again = analyze(&cache, &classes);
        let note = again.note.unwrap();
        assert!(!again.from_cache && note.contains(reason), "{note}");
        assert!(
            note.contains(&file.display().to_string()) && !note.contains('\n'),
            "{note}"
        );
        assert_eq!(std::fs::read(&file).unwrap().len(), whole.len());
    }
}

#[test]
fn a_cache_that_cannot_be_written_costs_a_note_only() {
    let folder = tempfile::tempdir().unwrap();
    let classes = compile(folder.path(), COUNTER);
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let analysis = analyze(&Cache::at(&file), &classes);
    assert!(analysis.file.is_none() && analysis.note.as_ref().unwrap().contains("RECRASH_CACHE"));
    assert!(is_pure(&analysis, "get", "()I"));
}

#[test]
fn advice_is_there_for_each_place_and_each_content() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().join("cache"));
    let classes = compile(folder.path(), COUNTER);
    let first = analyze(&cache, &classes).advice.unwrap();
    let content = std::fs::read(&first).unwrap();
    let moved = folder.path().join("moved");
    std::fs::rename(&classes, &moved).unwrap();
    let second = analyze(&cache, &moved);
    assert!(second.from_cache);
    let second = second.advice.unwrap();
    assert!(second != first && std::fs::read(&second).unwrap() == content);

    let classes = compile(folder.path(), &COUNTER.replace("n++", "n += 2"));
    assert_eq!(analyze(&cache, &classes).advice.as_ref(), Some(&first));
    assert_ne!(std::fs::read(&first).unwrap(), content);
    let classes = compile(folder.path(), COUNTER);
    assert!(analyze(&cache, &classes).from_cache);
    assert_eq!(std::fs::read(&first).unwrap(), content);
}
