//! Failures that something catches, in real libraries: each program of `tests/libraries` says in its comments which of
//! them become snapshots.

#![allow(clippy::unwrap_used)] // What fails here fails the test.

use crate::world;

use recrash_javabuild::{Compilation, Jdk};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::TempDir;
use world::{Program, Run, command, jdks, run_with, text};

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/libraries")
}

fn jar(name: &str) -> PathBuf {
    let dependencies = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.deps");
    let jar = dependencies.join(name);
    assert!(
        jar.is_file(),
        "{} is missing; ./x test fetches it",
        jar.display()
    );
    jar
}

fn jars(programs: &[Program]) -> Vec<PathBuf> {
    let names: BTreeSet<&String> = programs.iter().flat_map(|it| &it.libraries).collect();
    names.into_iter().map(|name| jar(name)).collect()
}

/// The compiled programs.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<TempDir> = OnceLock::new();
    CLASSES
        .get_or_init(|| {
            let folder = TempDir::new().unwrap();
            let compilation = Compilation {
                sources: &sources(),
                classes: folder.path(),
                flags: &["-g", "--release", "17"],
                class_path: &jars(&Program::all_in(&sources())),
            };
            compilation.run(&Jdk::find().unwrap()).unwrap();
            folder
        })
        .path()
}

fn class_path(program: &Program) -> String {
    let mut parts = vec![classes().display().to_string()];
    let jars = program.libraries.iter().map(|name| jar(name));
    parts.extend(jars.map(|jar| jar.display().to_string()));
    parts.join(":")
}

fn run(jdk: &Jdk, name: &str, options: &str) -> (Program, Run) {
    let program = Program::read(&sources(), name);
    let options: Vec<&str> = [program.options.as_str(), options]
        .into_iter()
        .filter(|options| !options.is_empty())
        .collect();
    let ran = run_with(
        command(jdk),
        &program,
        &[],
        &options.join(","),
        &class_path(&program),
    );
    (program, ran)
}

/// The frames of the program itself; libraries have too many of their own. Threads may have a number behind their name.
fn own(snapshot: &str) -> String {
    let mut lines = snapshot.lines();
    let first = lines.next().unwrap_or_default();
    let of_program = lines.filter(|line| {
        let place = line.trim_start().split(['(', ' ']).nth(1);
        place.is_some_and(|place| place.matches('.').count() == 1)
    });
    let lines: Vec<&str> = std::iter::once(first).chain(of_program).collect();
    lines.join("\n") + "\n"
}

fn agree(found: &str, expected: &str) -> bool {
    let parts = |text: &str| {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let (thread, chain) = first
            .strip_prefix("snapshot ")
            .and_then(|first| first.split_once(' '))
            .unwrap_or_default();
        (thread.to_owned(), chain.to_owned(), rest.to_owned())
    };
    let (found, expected) = (parts(found), parts(expected));
    found.0.starts_with(&expected.0) && (found.1, found.2) == (expected.1, expected.2)
}

/// Without the time of day that loggers put before their lines.
fn timeless(output: &str) -> String {
    let is_time = |word: &str| word.len() == 12 && word.matches(':').count() == 2;
    let lines = output.lines().map(|line| match line.split_once(' ') {
        Some((time, rest)) if is_time(time) => rest,
        _ => line,
    });
    lines.collect::<Vec<&str>>().join("\n")
}

fn expect(jdk: &Jdk, name: &str) {
    if !Program::read(&sources(), name).runs_in(jdk) {
        return;
    }
    let (program, ran) = run(jdk, name, "");
    let mut found: Vec<String> = ran
        .snapshots()
        .iter()
        .map(|snapshot| own(&text(snapshot, "")))
        .collect();
    found.sort();
    let place = format!(
        "{name} in {}\n{}\n{}{}",
        jdk.home().display(),
        found.concat(),
        ran.messages,
        ran.stderr()
    );
    assert_eq!(found.len(), program.snapshots.len(), "{place}");
    for (found, expected) in found.iter().zip(&program.snapshots) {
        assert!(agree(found, expected), "expected {expected}in {place}");
    }
    assert_eq!(ran.status(), Some(program.exit), "{place}");
    let plain = {
        let mut plain = command(jdk);
        plain
            .args(["-cp", &class_path(&program)])
            .args(&program.main);
        plain.output().unwrap()
    };
    // What test runners print has durations in it.
    if program.main == [program.name.clone()] {
        let plain = String::from_utf8_lossy(&plain.stdout);
        assert_eq!(timeless(&ran.stdout()), timeless(&plain), "{place}");
    }
    assert_eq!(ran.status(), plain.status.code(), "{place}");
}

#[test]
fn errors_given_to_a_logger_are_captured() {
    for jdk in jdks() {
        for name in [
            "LogsWithJul",
            "LogsWithLogback",
            "LogsWithLog4j2",
            "LogsWithLog4j1",
        ] {
            expect(&jdk, name);
        }
    }
}

#[test]
fn whatever_prints_logs_drops_or_answers_a_failure_shows_it() {
    for jdk in jdks() {
        expect(&jdk, "ManyGates");
    }
}

#[test]
fn a_bad_end_soon_after_an_exception_shows_it() {
    expect(&jdks()[0], "EndsBadly");
}

#[test]
fn failures_of_one_moment_wait_for_each_other_and_not_the_program_for_them() {
    for jdk in jdks() {
        expect(&jdk, "ThreeAtOnce");
    }
}

#[test]
fn an_exception_that_another_thread_throws_again_has_the_frames_of_both() {
    expect(&jdks()[0], "ThrownElsewhere");
}

#[test]
fn mistakes_that_futures_keep_are_captured() {
    for jdk in jdks() {
        for name in [
            "Executor",
            "Scheduled",
            "Completable",
            "ForkJoin",
            "VirtualExecutor",
        ] {
            expect(&jdk, name);
        }
    }
}

#[test]
fn requests_that_fail_in_a_servlet_are_captured() {
    let jdks = jdks();
    expect(jdks.first().unwrap(), "Tomcat");
    expect(jdks.last().unwrap(), "Jetty");
}

#[test]
fn tests_that_fail_are_captured() {
    let jdks = jdks();
    expect(jdks.first().unwrap(), "FailingJUnit4");
    expect(jdks.first().unwrap(), "FailingTestNg");
    expect(jdks.last().unwrap(), "FailingJUnit5");
}

#[test]
fn a_failure_that_is_logged_wrapped_and_uncaught_is_one_snapshot() {
    for jdk in jdks() {
        expect(&jdk, "LoggedThenUncaught");
    }
}

#[test]
fn a_failure_whose_like_was_captured_is_not_new_where_it_is_seen_next() {
    for jdk in jdks() {
        expect(&jdk, "LoggedOnTheWay");
    }
}

#[test]
fn named_exceptions_are_captured_with_all_frames_though_they_are_caught() {
    for jdk in jdks() {
        expect(&jdk, "Caught");
    }
}

#[test]
fn a_storm_of_errors_is_passed_over() {
    let jdk = &jdks()[0];
    expect(jdk, "Storm");
    let (_, ran) = run(jdk, "Storm", "");
    let said: Vec<&str> = ran.messages.lines().collect();
    assert_eq!(said.len(), 2, "{}", ran.messages);
    // The snapshot is written beside the program, so either may be said first.
    let storm = "more than 200 handled failures a second";
    assert!(
        said.iter().any(|line| line.contains(storm)),
        "{}",
        ran.messages
    );
}

#[test]
fn different_failures_are_captured_at_a_limited_rate() {
    let (_, ran) = run(&jdks()[0], "ManyKinds", "");
    let count = ran.snapshots().len();
    assert!((10..16).contains(&count), "{count}: {}", ran.messages);
    // It is one bug, and there are snapshots of it.
    assert!(!ran.messages.contains("too many"), "{}", ran.messages);
}

#[test]
fn failures_that_had_to_be_let_go_are_counted() {
    let (_, ran) = run(&jdks()[0], "TooMany", "");
    let captured = ran.snapshots().len();
    let end = format!(
        "{} more failures were not captured, because too many came at once",
        14 - captured
    );
    assert!((10..13).contains(&captured), "{}", ran.messages);
    assert!(ran.messages.contains(&end), "{}", ran.messages);
}

#[test]
fn the_folder_keeps_within_its_budget_and_the_newest_stay() {
    let jdk = &jdks()[0];
    let (_, one) = run(jdk, "LogsWithJul", "");
    let size = one.files()[0].metadata().unwrap().len();
    let (_, ran) = run(jdk, "ManyKinds", &format!("max-disk={}", size * 4));
    let files = ran.files();
    assert!((2..=4).contains(&files.len()), "{}", ran.messages);
    assert!(ran.messages.contains("removed "), "{}", ran.messages);
    let last = ran
        .messages
        .lines()
        .rfind(|line| line.contains("captured "))
        .and_then(|line| line.rsplit_once(": "))
        .unwrap();
    assert!(files.contains(&PathBuf::from(last.1)), "{}", ran.messages);
}

#[test]
fn second_chance_hears_of_logged_errors_when_asked() {
    let folder = TempDir::new().unwrap();
    let list = format!("watch={}/list", folder.path().display());
    let jdk = &jdks()[0];
    let (_, unasked) = run(jdk, "LogsWithJul", &list);
    assert_eq!(unasked.messages, "");
    let (program, asked) = run(jdk, "LogsWithJul", &format!("{list},failures=logged"));
    let found = asked.snapshots();
    assert_eq!(found.len(), 1, "{}", asked.messages);
    assert_eq!(own(&text(&found[0], "")), program.snapshots[0]);
}

#[test]
fn what_is_not_chosen_is_not_captured() {
    let jdk = &jdks()[0];
    for name in ["LogsWithJul", "Executor", "LoggedThenUncaught"] {
        let (_, ran) = run(jdk, name, "failures=web:tests");
        assert_eq!(ran.snapshots().len(), 0, "{name}: {}", ran.messages);
        assert_eq!(ran.messages, "", "{name}");
    }
}

#[test]
fn a_snapshot_says_which_classes_are_the_applications_own() {
    let (_, run) = run(&jdks()[0], "Jetty", "");
    let snapshots = run.snapshots();
    let own = snapshots[0].manifest.application.as_ref().unwrap();
    assert_eq!(own.start.main.as_deref(), Some("Jetty"));
    assert_eq!(own.classes, ["Jetty$Till", "Shop"]);
    let manifest = &snapshots[0].manifest;
    let foreign = |number: &usize| manifest.frames[*number].element.class.contains('.');
    assert!(!manifest.own_frames().iter().any(foreign));
}

/// The server's own objects lead to everything it has; the servlet's do not.
#[test]
fn of_a_request_is_captured_what_is_near_the_applications_data() {
    let jdk = &jdks()[0];
    let snapshot = |options: &str| run(jdk, "Tomcat", options).1.snapshots().swap_remove(0);
    let (near, whole) = (snapshot(""), snapshot("max-objects=5000000"));
    assert!(
        near.heap.len() * 3 < whole.heap.len(),
        "{} of {}",
        near.heap.len(),
        whole.heap.len()
    );
    let is_cut = |id| matches!(near.heap.object(id).unwrap().kind, recrash_heap::Kind::Cut);
    assert!(
        (1..=near.heap.len())
            .map(recrash_heap::ObjectId)
            .any(is_cut)
    );
    let limits = &near.manifest.limits;
    assert!(
        limits.iter().any(|limit| limit.contains("--max-objects")),
        "{limits:?}"
    );
    assert!(
        whole.manifest.limits.is_empty(),
        "{:?}",
        whole.manifest.limits
    );
    let of_program = |class: &str| !class.contains('.');
    // The program's frames have all they were given.
    for frame in near
        .manifest
        .frames
        .iter()
        .filter(|frame| of_program(&frame.element.class))
    {
        if let Some(captured) = &frame.captured {
            let values = captured.arguments.iter().map(|argument| argument.value);
            for value in values.chain([captured.receiver]) {
                assert!(!matches!(value, recrash_heap::Value::Ref(id) if is_cut(id)));
            }
        }
    }
}
