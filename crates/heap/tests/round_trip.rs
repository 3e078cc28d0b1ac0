//! Captured in one JVM, planned here, restored and used in another: every kind of object of the issue.
use crate::support::jvm;
use crate::support::manifest as synthetic;

use jvm::{Built, built, java, jdks, reference, run};
use recrash_heap::{Heap, PlanOptions, Snapshot, plan};
use std::path::Path;
use synthetic::manifest;

fn capture(jdk: &Path, options: &[&str], built: &Built, folder: &Path) -> Snapshot {
    let file = folder.join("heap");
    let said = run(java(jdk, built)
        .args(options)
        .args(["RoundTrip", "capture"])
        .arg(&file));
    assert_eq!(said, "");
    let bytes = std::fs::read(&file).unwrap();
    let end = bytes.iter().position(|b| *b == b'\n').unwrap();
    let ids = std::str::from_utf8(&bytes[..end]).unwrap();
    let values: Vec<_> = ids
        .split(' ')
        .map(|id| reference(id.parse().unwrap()))
        .collect();
    Snapshot {
        manifest: manifest(&values),
        heap: Heap::parse(bytes[end + 1..].to_vec(), u32::MAX).unwrap(),
        classes: Vec::new(),
    }
}

fn restore(
    jdk: &Path,
    options: &[&str],
    built: &Built,
    snapshot: &Snapshot,
    folder: &Path,
) -> String {
    let file = folder.join("x.recrash");
    snapshot.write(&file).unwrap();
    let read = Snapshot::read(&file).unwrap();
    assert_eq!(&read, snapshot);
    let bytes = plan(&read, 0, PlanOptions::default()).unwrap();
    let file = folder.join("plan");
    std::fs::write(&file, bytes).unwrap();
    run(java(jdk, built)
        .args(options)
        .args(["RoundTrip", "restore"])
        .arg(&file))
}

#[test]
fn every_kind_of_object_survives_the_way_into_another_jvm() {
    let folder = tempfile::tempdir().unwrap();
    let built = built();
    let mut failures = Vec::new();
    for jdk in jdks() {
        let new = jvm::release(&jdk) >= 25;
        let mut variants: Vec<(Vec<&str>, Vec<&str>)> = vec![
            (vec![], vec![]),
            (vec!["-XX:+UseZGC"], vec!["-XX:-CompactStrings"]),
            (vec!["-XX:-UseCompressedOops"], vec!["-XX:+UseSerialGC"]),
        ];
        if new {
            variants.push((vec!["-XX:+UseCompactObjectHeaders"], vec![]));
            variants.push((vec![], vec!["-XX:+UseCompactObjectHeaders"]));
        }
        for (before, after) in variants {
            let snapshot = capture(&jdk, &before, built, folder.path());
            let said = restore(&jdk, &after, built, &snapshot, folder.path());
            assert!(said.contains("ok a Latin-1 string"), "{said}");
            for line in said.lines().filter(|line| !line.starts_with("ok ")) {
                failures.push(format!("{} {before:?} {after:?}: {line}", jdk.display()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
