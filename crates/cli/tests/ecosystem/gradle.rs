//! The script for Gradle, in a real one.

use crate::ecosystem::support::{copy, dependency, jdk, root, snapshots, stderr, stdout};
use std::path::Path;
use std::process::{Command, Output};

/// Old and new releases understand it.
fn build_script() -> String {
    let jar = |name| dependency(name).display().to_string();
    format!(
        "apply plugin: 'java'\nsourceCompatibility = '1.8'\n\
         dependencies {{ testImplementation files('{}', '{}') }}\napply from: 'recrash.gradle'\n",
        jar("junit4.jar"),
        jar("hamcrest-core.jar")
    )
}

fn gradle(project: &Path, task: &str) -> Output {
    Command::new("gradle")
        .args(["--offline", "--no-daemon", task])
        .arg(format!("-Precrash={}", env!("CARGO_BIN_EXE_recrash")))
        .env("JAVA_HOME", &jdk().home)
        .env_remove("JAVA_TOOL_OPTIONS")
        .current_dir(project)
        .output()
        .expect("gradle, which ./x gradle installs")
}

#[test]
#[ignore = "`./x gradle` installs Gradle for it"]
fn a_test_that_fails_in_gradle_leaves_a_snapshot_and_becomes_smaller_tests() {
    let folder = tempfile::tempdir().unwrap();
    let examples = root().join("examples/builds");
    copy(&examples.join("maven/src"), &folder.path().join("src"));
    copy(&examples.join("gradle"), folder.path());
    std::fs::write(folder.path().join("build.gradle"), build_script()).unwrap();
    let ran = gradle(folder.path(), "test");
    let text = format!("{}{}", stdout(&ran), stderr(&ran));
    assert_eq!(ran.status.code(), Some(1), "{text}");
    assert!(text.contains("1 test completed, 1 failed"), "{text}");
    let found = snapshots(&folder.path().join("build/recrash"));
    assert_eq!(found.len(), 1, "{text}");
    let made = gradle(folder.path(), "recrashTests");
    let text = format!("{}{}", stdout(&made), stderr(&made));
    assert_eq!(made.status.code(), Some(0), "{text}");
    assert!(text.contains("2 of 2 frames reproduce the crash"), "{text}");
}
