//! What is typed, and how results are read by people and programs.

use crate::trouble::support::{assert_one_line, crash, recrash, run, stderr, stdout};
use std::ffi::OsStr;
use std::process::{Command, Stdio};

#[test]
fn every_help_text_has_examples_and_the_exit_statuses_are_documented() {
    for command in [
        "run",
        "tests",
        "show",
        "synth",
        "shrink",
        "redact",
        "instrument",
        "analyze",
        "agent-path",
        "watch",
        "maven",
        "completions",
        "man",
    ] {
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
fn a_path_that_leads_nowhere_is_one_line_that_says_what_is_there() {
    let show = |path: &str| {
        recrash()
            .arg("show")
            .arg(&crash().snapshot)
            .args(["--path", path])
            .output()
            .unwrap()
    };
    assert!(stdout(&show("receiver.numbers[1]")).ends_with("  receiver.numbers[1] = 2\n"));
    for (path, expected) in [
        ("receiver.number", "has no field `number`; it has numbers"),
        (
            "receiver.numbers[3]",
            "has no element [3]; it has [0] to [2]",
        ),
        ("idx", "frame 0 has no `idx`; it has receiver, index"),
        ("receiver.", "`receiver.` is no path"),
    ] {
        let text = assert_one_line(&show(path), 1);
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn a_page_is_written_with_the_tests_beside_the_snapshot_and_the_source() {
    let (folder, snapshot) = crash().copy();
    let made = recrash().arg("tests").arg(&snapshot).output().unwrap();
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    let page = folder.path().join("page.html");
    let shown = recrash()
        .arg("show")
        .arg(&snapshot)
        .arg("--html")
        .arg(&page)
        .arg("--sources")
        .arg(crash().classes())
        .output()
        .unwrap();
    assert_eq!(
        (shown.status.code(), stdout(&shown)),
        (Some(0), String::new())
    );
    assert!(
        stderr(&shown).contains("page.html is written"),
        "{}",
        stderr(&shown)
    );
    let text = std::fs::read_to_string(&page).unwrap();
    for expected in [
        "class CrashingCrashTest",
        "return copy[index] + copy.length;",
        "\"standing\":\"reproduced\"",
    ] {
        assert!(text.contains(expected), "{expected}");
    }
}

#[test]
fn a_page_that_cannot_be_made_is_one_line() {
    let (folder, snapshot) = crash().copy();
    let show = |arguments: &[&str]| {
        let mut command = recrash();
        command.arg("show").arg(&snapshot).args(arguments);
        command.current_dir(folder.path());
        assert_one_line(&command.output().unwrap(), 1)
    };
    for (arguments, expected) in [
        (
            &["--html", "no/such/folder/a.html"][..],
            "no/such/folder/a.html cannot be written",
        ),
        (
            &["--html", "a.html", "--frame", "9"],
            "there is no frame 9; captured are 0 Crashing.at, 1 Crashing.main",
        ),
        (
            &["--html", "a.html", "--sources", "nowhere"],
            "nowhere cannot be read",
        ),
        (
            &["--html", "a.html", "--tests", "nowhere"],
            "nowhere/verdicts.json cannot be read",
        ),
        (
            &["second.recrash", "--html", "a.html"],
            "second.recrash is a second one",
        ),
    ] {
        let text = show(arguments);
        assert!(text.contains(expected), "{text}");
    }
    assert!(!folder.path().join("a.html").exists());
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
