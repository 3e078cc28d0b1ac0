//! What is typed, and how results are read by people and programs.

use crate::support::{crash, recrash, run, stderr, stdout};
use std::ffi::OsStr;
use std::process::{Command, Stdio};

#[test]
fn every_help_text_has_examples_and_the_exit_statuses_are_documented() {
    for command in ["run", "tests", "show", "analyze", "agent-path", "watch"] {
        let output = run([command, "--help"]);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains("Examples:"), "{command}");
    }
    insta::assert_snapshot!("help", stdout(&run(["--help"])));
    insta::assert_snapshot!("help_run", stdout(&run(["run", "--help"])));
}

#[test]
fn bad_usage_is_exit_status_1() {
    for arguments in [
        &["run"][..],
        &["tests"],
        &["nonsense"],
        &["tests", "x", "--junit", "6"],
        &[],
    ] {
        let output = run(arguments);
        assert_eq!(
            output.status.code(),
            Some(1),
            "{arguments:?} {}",
            stderr(&output)
        );
    }
}

#[test]
fn a_package_that_is_none_is_refused() {
    let (_folder, snapshot) = crash().copy();
    let output = recrash()
        .arg("tests")
        .arg(snapshot)
        .args(["--package", "com.class"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("`com.class` is not a package name"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn completions_exist_for_every_shell_and_survive_a_closed_pipe() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(
            stdout(&run(["completions", shell])).contains("agent-path"),
            "{shell}"
        );
    }
    let script = format!(
        "{} completions zsh | true; {} --help | true",
        env!("CARGO_BIN_EXE_recrash"),
        env!("CARGO_BIN_EXE_recrash")
    );
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(stderr(&output), "");
}

#[test]
fn a_reader_that_stops_early_is_no_error() {
    let mut child = recrash()
        .arg("show")
        .arg("--json")
        .arg(&crash().snapshot)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), stderr(&output)),
        (Some(0), String::new())
    );
}

#[test]
fn a_snapshot_shows_its_frames_values_and_json() {
    let text = stdout(&run([OsStr::new("show"), crash().snapshot.as_os_str()]));
    assert!(
        text.contains("frame 0  Crashing.at(int)  Crashing.java:7"),
        "{text}"
    );
    assert!(
        text.contains("  this = Crashing #") && text.contains("numbers = int[3] {1, 2, 3}"),
        "{text}"
    );
    assert!(text.contains("  index = 7"), "{text}");
    let output = run([
        OsStr::new("show"),
        OsStr::new("--json"),
        crash().snapshot.as_os_str(),
    ]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["schema"], 1);
    assert_eq!(json["manifest"]["frames"][0]["element"]["method"], "at");
    assert!(
        json["objects"]
            .as_array()
            .is_some_and(|objects| !objects.is_empty())
    );
}

#[test]
fn a_frame_that_does_not_exist_is_refused() {
    let output = recrash()
        .arg("show")
        .arg(&crash().snapshot)
        .args(["--frame", "77"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("no frame 77"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn the_agent_path_is_an_option_that_a_jvm_takes() {
    let option = stdout(&run(["agent-path", "--out", "somewhere", "--label", "a b"]));
    assert!(
        option.starts_with("-agentpath:/") && option.contains("/somewhere,label=a%20b"),
        "{option}"
    );
    let library = stdout(&run(["agent-path", "--library"]));
    assert!(std::path::Path::new(library.trim()).is_file(), "{library}");
}

#[test]
fn verdicts_are_printed_and_stored_the_same() {
    let (folder, snapshot) = crash().copy();
    for junit in ["4", "5"] {
        for expect in [&[][..], &["--expect-crash"]] {
            let output = recrash()
                .args(["tests", "--json", "--junit", junit])
                .args(expect)
                .arg(&snapshot)
                .output()
                .unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            let stored = std::fs::read(folder.path().join("crash/verdicts.json")).unwrap();
            let stored: serde_json::Value = serde_json::from_slice(&stored).unwrap();
            assert_eq!(printed, stored);
            assert_eq!(printed["frames"][0]["verdict"], "reproduced");
            assert_eq!(printed["frames"][0]["test"], "at");
            assert_eq!(printed["test_class"], "CrashingCrashTest");
        }
    }
}
