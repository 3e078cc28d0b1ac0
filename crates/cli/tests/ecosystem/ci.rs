//! What `--format` and `--report` say, read as CI servers read it.

use crate::ecosystem::support::{crash, jdk, recrash, sources, stderr, stdout, succeed};
use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value as Json;
use std::path::Path;
use std::process::Command;

/// The line of `prices.get(goods)`.
fn failing_line() -> usize {
    let text = std::fs::read_to_string(sources().join("shop/Till.java")).unwrap();
    let line = text.lines().position(|line| line.contains("prices.get"));
    line.unwrap() + 1
}

/// A checkout: the sources below `src`, the snapshot below `out`.
fn checkout() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("src/shop")).unwrap();
    std::fs::create_dir(folder.path().join("out")).unwrap();
    std::fs::copy(
        sources().join("shop/Till.java"),
        folder.path().join("src/shop/Till.java"),
    )
    .unwrap();
    crash().copy(&folder.path().join("out"));
    folder
}

fn tests(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = recrash();
    command
        .args(["tests", "out/crash.recrash", "--sources", "src"])
        .args(arguments)
        .current_dir(folder);
    command
}

#[test]
fn annotations_name_the_line_as_the_checkout_has_it() {
    let folder = checkout();
    let text = succeed(&mut tests(folder.path(), &["--format", "github"]));
    let line = failing_line();
    let (head, message) = text.trim_end().split_once("::java.lang.").unwrap();
    assert_eq!(
        head,
        format!(
            "::error file=src/shop/Till.java,line={line},title=NullPointerException in Till.total"
        )
    );
    assert!(
        message.contains("%0A2 of 2 frames reproduce it; tests: out/crash/"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 1);
    // In a folder of the checkout, the path still begins at its top.
    let below = succeed(
        tests(&folder.path().join("."), &["--format", "github"]).env(
            "GITHUB_WORKSPACE",
            folder.path().canonicalize().unwrap().parent().unwrap(),
        ),
    );
    let name = folder.path().file_name().unwrap().to_str().unwrap();
    assert!(
        below.contains(&format!("file={name}/src/shop/Till.java")),
        "{below}"
    );
}

#[test]
fn a_report_goes_to_its_file_and_text_to_the_terminal() {
    let folder = checkout();
    let text = succeed(&mut tests(
        folder.path(),
        &["--format", "sarif", "--report", "crashes.sarif"],
    ));
    assert!(text.contains("2 of 2 frames reproduce the crash"), "{text}");
    let log = std::fs::read(folder.path().join("crashes.sarif")).unwrap();
    let log: Json = serde_json::from_slice(&log).unwrap();
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "java.lang.NullPointerException");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "src/shop/Till.java");
    assert_eq!(place["region"]["startLine"], failing_line());
    assert_eq!(result["stacks"][0]["frames"].as_array().unwrap().len(), 2);
}

#[test]
fn several_snapshots_are_one_report_with_a_test_case_per_frame() {
    let folder = checkout();
    std::fs::copy(
        folder.path().join("out/crash.recrash"),
        folder.path().join("out/again.recrash"),
    )
    .unwrap();
    let xml = succeed(&mut tests(
        folder.path(),
        &["out/again.recrash", "--format", "junit"],
    ));
    let mut reader = Reader::from_str(&xml);
    let (mut suites, mut cases, mut failures) = (0, 0, 0);
    loop {
        match reader.read_event().unwrap() {
            Event::Start(element) | Event::Empty(element) => match element.name().as_ref() {
                b"testsuite" => suites += 1,
                b"testcase" => cases += 1,
                b"failure" => failures += 1,
                _ => {}
            },
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!((suites, cases, failures), (2, 4, 4), "{xml}");
}

fn run(folder: &Path, arguments: &[&str]) -> std::process::Output {
    recrash()
        .args(["run", "--out", "run-out", "--sources", "src"])
        .args(arguments)
        .arg("--")
        .arg(jdk().java())
        .arg("-cp")
        .arg(crash().classes())
        .arg("shop.Till")
        .current_dir(folder)
        .output()
        .unwrap()
}

#[test]
fn a_run_tells_ci_without_touching_the_output_of_the_program() {
    let folder = checkout();
    let ran = run(folder.path(), &["--no-tests", "--format", "github"]);
    assert_eq!(
        (ran.status.code(), stdout(&ran)),
        (Some(1), "114\n".to_owned())
    );
    let text = stderr(&ran);
    let annotation = text
        .lines()
        .find(|line| line.starts_with("::error "))
        .unwrap();
    assert!(
        annotation.contains("file=src/shop/Till.java")
            && annotation.contains("captured in run-out/"),
        "{text}"
    );
    let ran = run(
        folder.path(),
        &["--format", "junit", "--report", "crashes.xml"],
    );
    assert!(
        stderr(&ran).contains("2 of 2 frames reproduce the crash"),
        "{}",
        stderr(&ran)
    );
    let xml = std::fs::read_to_string(folder.path().join("crashes.xml")).unwrap();
    assert!(xml.contains("tests=\"2\" failures=\"2\""), "{xml}");
}

#[test]
fn what_cannot_be_reported_is_said_before_the_program_starts() {
    let folder = checkout();
    for (arguments, sentence) in [
        (&["--format", "sarif"][..], "name one with --report FILE"),
        (
            &["--format", "junit", "--report", "no/such/folder/a.xml"],
            "no/such/folder/a.xml cannot be written",
        ),
        (&["--sources", "nowhere"], "nowhere cannot be read"),
    ] {
        let ran = run(folder.path(), arguments);
        let text = stderr(&ran);
        assert_eq!(
            (ran.status.code(), stdout(&ran)),
            (Some(1), String::new()),
            "{text}"
        );
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(
            text.starts_with("recrash: ") && text.contains(sentence),
            "{text}"
        );
    }
}
