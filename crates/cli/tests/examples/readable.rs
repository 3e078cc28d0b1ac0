//! How the tests of some examples read, and what is left when nothing may be loaded.

use std::path::{Path, PathBuf};
use std::process::Command;

use recrash_jvm::Jdk;
use tempfile::TempDir;

use crate::examples::expectation::Example;
use crate::examples::outcome::Outcome;
use crate::examples::{compile, jdks, junit, root};

const CRASH: &str = "java.lang.NullPointerException";

/// An example, crashed once on one JDK.
struct Crash {
    folder: TempDir,
    jdk: Jdk,
    class_path: String,
}

impl Crash {
    fn of(folder: &str) -> Crash {
        let example = Example::read(&root().join("examples").join(folder));
        let jdk = jdks().swap_remove(0);
        let folder = tempfile::tempdir().unwrap();
        let class_path = compile::compile(&example, &jdk, folder.path());
        let crash = Crash {
            folder,
            jdk,
            class_path,
        };
        let status = Command::new(env!("CARGO_BIN_EXE_recrash"))
            .args(["run", "--out"])
            .arg(crash.out())
            .arg("--")
            .arg(crash.jdk.java())
            .args(["-cp", &crash.class_path, &example.runs[0].main])
            .output()
            .unwrap()
            .status;
        assert_eq!(status.code(), Some(1));
        crash
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("crashes")
    }

    fn snapshot(&self) -> PathBuf {
        files(&self.out(), "recrash").swap_remove(0)
    }

    /// The generated class, without what changes from run to run.
    fn class(&self) -> String {
        let tests = self.snapshot().with_extension("");
        let source = std::fs::read_to_string(files(&tests, "java").swap_remove(0)).unwrap();
        let snapshot = self.snapshot();
        let name = snapshot.file_name().unwrap().to_str().unwrap();
        let (_, after_header) = source.split_once("\n\nimport ").unwrap();
        format!("import {after_header}").replace(name, "NullPointerException.recrash")
    }
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect()
}

#[test]
fn what_source_can_make_is_made_and_what_it_cannot_is_loaded() {
    insta::assert_snapshot!(Crash::of("orders").class());
}

#[test]
fn objects_of_builders_are_built_as_a_person_would() {
    insta::assert_snapshot!(Crash::of("builders").class());
}

#[test]
fn static_fields_that_the_crash_needs_are_set_by_source_and_put_back() {
    insta::assert_snapshot!(Crash::of("static-fields").class());
}

#[test]
fn thread_locals_that_the_crash_needs_are_set_by_source_and_removed() {
    let class = Crash::of("bound").class();
    assert!(class.contains("Current.TENANT.set(\"shop-a\");"), "{class}");
    assert!(class.contains("Current.fee(\"IT\");"), "{class}");
    assert!(class.contains("Current.TENANT.remove();"), "{class}");
    assert!(!class.contains("Snapshot"), "{class}");
}

#[test]
fn self_contained_tests_need_nothing_of_recrash_and_the_others_say_what_stands_in_the_way() {
    let crash = Crash::of("orders");
    let alone = crash.folder.path().join("alone");
    let output = Command::new(env!("CARGO_BIN_EXE_recrash"))
        .args(["tests", "--self-contained", "--out"])
        .arg(&alone)
        .arg(crash.snapshot())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("label(); self-contained"), "{told}");
    assert!(told.contains("not self-contained: a lambda"), "{told}");
    let tests = alone.join(crash.snapshot().file_stem().unwrap());
    assert!(files(&alone, "jar").is_empty() && files(&tests, "recrash").is_empty());

    let mut outcome = Outcome::read(&crash.out(), CRASH).unwrap();
    outcome.tests = tests;
    let folder = crash.folder.path().join("junit");
    std::fs::create_dir(&folder).unwrap();
    let failures = junit::run_tests(&outcome, &crash.jdk, &crash.class_path, &folder);
    assert_eq!(
        failures,
        [CRASH, CRASH, CRASH],
        "label(), ship() and main()"
    );
}

#[test]
fn long_values_are_read_from_files_that_recrash_tells_of() {
    let crash = Crash::of("long-values");
    insta::assert_snapshot!(crash.class());
    let again = |out: &str| {
        let out = crash.folder.path().join(out);
        let output = Command::new(env!("CARGO_BIN_EXE_recrash"))
            .args(["tests", "--self-contained", "--out"])
            .arg(&out)
            .arg(crash.snapshot())
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        (told, out.join(crash.snapshot().file_stem().unwrap()))
    };
    let (told, one) = again("one");
    let (_, other) = again("other");
    let names = |folder: &Path| {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    assert_eq!(
        names(&one),
        [
            "LettersCrashTest-colours.txt",
            "LettersCrashTest-letter.txt",
            "LettersCrashTest-picture.bin",
            "LettersCrashTest-seal.txt",
            "LettersCrashTest-weights.txt",
            "LettersCrashTest.java",
            "verdicts.json"
        ]
    );
    assert_eq!(names(&one), names(&other));
    for name in names(&one)
        .iter()
        .filter(|name| name.starts_with("Letters"))
    {
        let read = |folder: &Path| std::fs::read(folder.join(name)).unwrap();
        assert_eq!(read(&one), read(&other), "{name}");
        assert!(name.ends_with("java") || told.contains(name), "{told}");
    }
}
