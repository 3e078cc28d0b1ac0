//! A failure is known again, from its snapshot and from what the program printed.

use std::path::Path;
use std::process::Command;

use recrash_heap::Snapshot;
use recrash_trace::{FailureKey, parse};

use crate::examples::expectation::Example;
use crate::examples::{compile, jdks, root};

/// Runs the program; the keys of its snapshot and of the trace it printed.
fn keys(java: &Path, class_path: &str, main: &str, folder: &Path) -> [FailureKey; 2] {
    let out = folder.join("crashes");
    let output = Command::new(env!("CARGO_BIN_EXE_recrash"))
        .args(["run", "--no-tests", "--out"])
        .arg(&out)
        .arg("--")
        .arg(java)
        .args(["-cp", class_path, main])
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stderr);
    let trace = parse(&printed).into_iter().next();
    let mut files = std::fs::read_dir(&out).unwrap();
    let file = files.find_map(|entry| {
        let path = entry.unwrap().path();
        path.extension()
            .is_some_and(|end| end == "recrash")
            .then_some(path)
    });
    let snapshot = Snapshot::read(&file.unwrap_or_else(|| panic!("no snapshot:\n{printed}")));
    let trace = trace.unwrap_or_else(|| panic!("no trace:\n{printed}"));
    [snapshot.unwrap().manifest.key(), trace.key()]
}

#[test]
fn a_snapshot_and_the_printed_trace_have_one_key_on_every_jdk() {
    let example = Example::read(&root().join("examples/modern"));
    let mut all = Vec::new();
    for jdk in jdks() {
        let scratch = tempfile::tempdir().unwrap();
        let class_path = compile::compile(&example, &jdk, scratch.path());
        let main = &example.runs[0].main;
        all.extend(keys(&jdk.java(), &class_path, main, scratch.path()));
    }
    assert!(all.iter().all(|key| *key == all[0]), "{all:?}");
}
