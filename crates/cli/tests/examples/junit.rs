//! The generated tests in the hands of the real JUnit console.

use std::path::{Path, PathBuf};
use std::process::Command;

use recrash_jvm::{Jdk, SHORT_LIVED};

use crate::common;
use crate::examples::outcome::Outcome;
use crate::examples::root;

/// Compiles and runs the tests of a snapshot; the type of exception each failing test reports.
pub fn run_tests(outcome: &Outcome, jdk: &Jdk, class_path: &str, folder: &Path) -> Vec<String> {
    if outcome.reproduced() == 0 {
        return Vec::new();
    }
    let junit = root()
        .join(".deps/junit-platform-console-standalone.jar")
        .display()
        .to_string();
    let runtime = outcome
        .tests
        .with_file_name("recrash-junit.jar")
        .display()
        .to_string();
    let classes = folder.join("test-classes");
    let sources: Vec<_> = std::fs::read_dir(&outcome.tests)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "java")
        })
        .collect();
    let mut beside: Vec<PathBuf> = vec![junit.clone().into(), runtime.clone().into()];
    beside.extend(std::env::split_paths(class_path));
    common::javac(jdk, &beside, &classes, sources);
    let classes = classes.display().to_string();

    let reports = folder.join("reports");
    let mut console = Command::new(jdk.java());
    console
        .args(SHORT_LIVED)
        .args([
            "-jar",
            &junit,
            "execute",
            "--disable-banner",
            "--details=none",
            "--reports-dir",
        ])
        .arg(&reports);
    console.args(["--scan-class-path", &classes, "--class-path"]);
    console.arg(format!(
        "{classes}:{}:{runtime}:{class_path}",
        outcome.tests.display()
    ));
    console.current_dir(folder);
    let output = console.output().unwrap();
    // The console's status for failing tests; anything else means that it did not get that far.
    assert_eq!(
        output.status.code(),
        Some(1),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    failures(&std::fs::read_to_string(reports.join("TEST-junit-jupiter.xml")).unwrap())
}

/// `type` of every `failure` and `error` element of a report.
fn failures(report: &str) -> Vec<String> {
    let elements = report
        .split('<')
        .filter(|part| part.starts_with("failure ") || part.starts_with("error "));
    elements
        .map(|element| {
            let after = element.split_once("type=\"").map_or("", |(_, after)| after);
            after.split('"').next().unwrap_or_default().to_owned()
        })
        .collect()
}
