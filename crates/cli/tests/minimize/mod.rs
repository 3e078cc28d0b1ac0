//! `recrash minimize` with the real binary: from a long run that fails to a test that JUnit has run.

use crate::common::{jdk, recrash, root, text};
use std::path::PathBuf;
use std::process::{Command, Output};
use tempfile::TempDir;

/// The compiled programs, and the folder for tests.
fn programs() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let sources = root().join("crates/cli/tests/minimize/programs");
    let compiled = Command::new(jdk().javac().unwrap())
        .args(["-g", "-d"])
        .arg(folder.path().join("classes"))
        .args([
            sources.join("stock/Shelf.java"),
            sources.join("night/Audit.java"),
        ])
        .status()
        .unwrap();
    assert!(compiled.success());
    folder
}

fn minimize(folder: &TempDir, arguments: &[&str]) -> Output {
    recrash()
        .current_dir(folder.path())
        .args(["minimize", "--json", "--"])
        .arg(jdk().java())
        .args(["-cp", "classes"])
        .args(arguments)
        .output()
        .unwrap()
}

/// The statements of the test.
fn body(folder: &TempDir) -> String {
    let file: PathBuf = folder
        .path()
        .join("recrash-out/night/ShelfMinimizedTest.java");
    let source = std::fs::read_to_string(file).unwrap();
    let body = source.split("throws Exception {\n").nth(1).unwrap();
    let body = body.split("    }\n").next().unwrap();
    body.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_crash_of_a_long_run_becomes_the_calls_that_it_needs() {
    let folder = programs();
    let ran = minimize(&folder, &["night.Audit", "crash"]);
    assert!(
        ran.status.success(),
        "{}{}",
        text(&ran.stdout),
        text(&ran.stderr)
    );
    let told: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(told["verdict"], "reproduced");
    assert_eq!(told["wrongValue"], false);
    assert!(told["callsBefore"].as_u64().unwrap() > 1000, "{told}");
    assert_eq!(
        body(&folder),
        "Shelf shelf = new Shelf();\nshelf.put(\"item 0\");\nshelf.discard(\"item 0\");\nshelf.longest();"
    );
}

#[test]
fn a_wrong_value_that_the_program_finds_becomes_an_assertion_that_is_true_without_the_bug() {
    let folder = programs();
    let ran = minimize(&folder, &["night.Audit", "wrong"]);
    assert!(
        ran.status.success(),
        "{}{}",
        text(&ran.stdout),
        text(&ran.stderr)
    );
    let told: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(told["wrongValue"], true);
    let body = body(&folder);
    // The driver counts along, so that what is expected is right for the items that are left.
    let puts = body.matches("put(\"item").count();
    let takes = body.matches("take()").count();
    assert!(
        body.ends_with(&format!("assertEquals({}, shelf.size());", puts - takes)),
        "{body}"
    );
    assert!(body.lines().count() <= 6, "{body}");
}

#[test]
fn a_program_that_ends_well_and_a_command_that_is_none_of_java_are_told_in_one_line() {
    let folder = programs();
    let ran = minimize(&folder, &["night.Audit", "well"]);
    assert_eq!(ran.status.code(), Some(1));
    let said = text(&ran.stderr);
    assert!(said.contains("ends well"), "{said}");
    let ran = recrash()
        .args(["minimize", "--", "mvn", "test"])
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(1));
    let said = text(&ran.stderr);
    assert!(said.contains("COMMAND has to be java"), "{said}");
}
