//! Runs every program of `examples/` under the real `recrash run` on every JDK found, and holds what comes out against
//! the expectations written inside the program. `examples/README.md` describes how they are written.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends at the first surprise"
)]

mod compile;
mod expectation;
mod junit;
mod outcome;
mod readable;
mod same_failure;

use std::path::{Path, PathBuf};
use std::process::Command;

use expectation::{Example, Run};
use outcome::Outcome;
use recrash_jvm::{Jdk, find_jdks};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

fn jdks() -> Vec<Jdk> {
    let jdks: Vec<Jdk> = find_jdks()
        .into_iter()
        .filter(|jdk| jdk.version.feature >= 17 && jdk.javac.is_some())
        .collect();
    assert!(
        !jdks.is_empty(),
        "there is no JDK 17 or newer to run the examples on"
    );
    jdks
}

/// One folder: every run in it, on every JDK that can run it.
fn check(folder: &str) {
    let example = Example::read(&root().join("examples").join(folder));
    assert!(
        !example.runs.is_empty(),
        "examples/{folder} has no source with '// crash:'"
    );
    for jdk in jdks() {
        let scratch = tempfile::tempdir().unwrap();
        let class_path = compile::compile(&example, &jdk, scratch.path());
        for run in example
            .runs
            .iter()
            .filter(|run| jdk.version.feature >= run.least_jdk)
        {
            check_run(
                &example,
                run,
                &jdk,
                &class_path,
                &scratch.path().join(&run.name),
            );
        }
    }
}

fn check_run(example: &Example, run: &Run, jdk: &Jdk, class_path: &str, folder: &Path) {
    let plain_folder = folder.join("plain");
    std::fs::create_dir_all(&plain_folder).unwrap();
    let out = folder.join("crashes");
    // In a folder of its own: programs leave files behind that change what they do next time.
    let plain = Command::new(jdk.java())
        .args(["-cp", class_path, &run.main])
        .current_dir(plain_folder)
        .output()
        .unwrap();
    let mut monitored = Command::new(env!("CARGO_BIN_EXE_recrash"));
    monitored
        .args(["run", "--out"])
        .arg(&out)
        .args(&run.options)
        .arg("--")
        .arg(jdk.java());
    monitored
        .args(["-cp", class_path, &run.main])
        .current_dir(folder);
    let monitored = monitored.output().unwrap();
    let messages = String::from_utf8_lossy(&monitored.stderr);
    let context = format!("{} on Java {}:\n{messages}", run.name, jdk.version);
    assert_eq!(
        monitored.status.code(),
        plain.status.code(),
        "the exit status changed, {context}"
    );

    let outcome =
        Outcome::read(&out, &run.crash).unwrap_or_else(|reason| panic!("{reason}, {context}"));
    assert_eq!(outcome.throwables, run.throwables(), "{context}");
    let expected = example.expected(run);
    let found = outcome.verdicts_in(&example.source_names());
    assert_eq!(found, expected, "{context}");

    let failures = junit::run_tests(&outcome, jdk, class_path, folder);
    assert_eq!(
        failures.len(),
        outcome.reproduced(),
        "one failing test per reproduced frame, {context}"
    );
    for failure in failures {
        assert!(
            outcome.throwables.contains(&failure),
            "JUnit reports {failure}, {context}"
        );
    }
}

macro_rules! examples {
    ($($fact:ident: $folder:literal,)*) => {
        $(#[test]
        fn $fact() {
            check($folder);
        })*

        #[test]
        fn every_example_folder_is_run() {
            let mut folders: Vec<String> = std::fs::read_dir(root().join("examples"))
                .unwrap()
                .map(|entry| entry.unwrap())
                .filter(|entry| entry.path().is_dir())
                // Those without sources at their top are the business of other tests.
                .filter(|entry| !Example::read(&entry.path()).sources.is_empty())
                .map(|entry| entry.file_name().into_string().unwrap())
                .collect();
            folders.sort();
            let mut run = vec![$($folder.to_owned()),*];
            run.sort();
            assert_eq!(run, folders);
        }
    };
}

examples! {
    a_crash_of_random_input_is_reproduced_in_every_frame: "random-crash",
    the_three_crashes_of_the_tree_are_reproduced: "bst",
    fields_changed_between_entry_and_crash_are_brought_back: "mutation",
    state_that_callees_marked_is_brought_back_unless_only_references_are_kept: "marked",
    state_that_callees_consumed_is_brought_back: "consumed",
    what_is_put_back_on_the_way_out_is_as_the_frames_left_it: "put-back",
    what_callees_changed_is_undone: "undo",
    a_crash_that_depends_on_identity_hashes_is_reproduced: "hash-order",
    a_frame_that_depends_on_a_changed_file_passes: "world",
    the_frames_of_a_wrapped_exception_are_kept: "wrapped",
    a_task_that_fails_in_a_pool_is_reproduced: "executor",
    failures_that_the_program_catches_are_reproduced: "caught",
    static_fields_are_brought_back: "static-state",
    what_the_thread_had_bound_is_bound_again: "bound",
    long_values_are_read_from_files: "long-values",
    static_fields_are_set_by_source: "static-fields",
    records_lambdas_and_enums_are_brought_back: "modern",
    constructors_are_reproduced_before_inside_and_after_super: "constructors",
    private_methods_are_reproduced: "private-methods",
    objects_that_source_can_make_are_made: "orders",
    objects_of_builders_are_built: "builders",
    crashes_on_other_threads_are_reproduced: "threads",
    classes_made_at_run_time_travel_with_the_snapshot: "generated",
    the_second_failure_of_a_server_is_captured_when_the_first_was_the_warning: "second-chance",
    kotlin_is_reproduced: "kotlin",
    scala_is_reproduced: "scala",
}
