//! When something goes wrong there is one clear line, nothing half-written, and the program's own exit status.

use crate::world;

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use world::{Program, classes, command, jdks, library, run, run_in};

#[test]
fn a_folder_that_cannot_be_made_costs_only_the_snapshot() {
    for jdk in jdks() {
        let run = run(
            &jdk,
            &Program::named("NpeInMain"),
            &[],
            "out=/proc/no/folder",
        );
        assert_eq!(run.status(), Some(1));
        assert_eq!(run.messages.lines().count(), 1, "{}", run.messages);
        assert!(
            run.messages
                .contains("NullPointerException was not captured: /proc/no/folder"),
            "{}",
            run.messages
        );
    }
}

#[test]
fn a_full_disk_leaves_nothing_half_written() {
    for jdk in jdks() {
        // A limit on the size of files stands for the full disk; the JVM's own performance file must not hit it.
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "ulimit -f 1; exec \"$0\" -XX:-UsePerfData \"$@\""])
            .arg(jdk.java());
        shell.env_remove("JAVA_TOOL_OPTIONS");
        let run = run_in(shell, &Program::named("ExecutorTask"), &[], "");
        assert_eq!(run.status(), Some(1), "{}", run.stderr());
        // One when the future keeps the failure, one when it ends the main thread.
        assert_eq!(
            run.messages.matches(" was not captured: ").count(),
            2,
            "{}",
            run.messages
        );
        assert_eq!(run.messages.lines().count(), 2, "{}", run.messages);
        assert_eq!(run.files(), Vec::<std::path::PathBuf>::new());
    }
}

#[test]
fn a_bad_option_gets_one_line_and_the_rest_still_counts() {
    let jdk = &jdks()[0];
    let run = run(jdk, &Program::named("NpeInMain"), &[], "colour=red");
    assert!(
        run.messages.contains("agent option \"colour\" is unknown"),
        "{}",
        run.messages
    );
    assert_eq!(run.snapshots().len(), 1);
}

#[test]
fn the_agent_named_twice_works_once() {
    let jdk = &jdks()[0];
    let run = run(jdk, &Program::named("NpeInMain"), &["AGENT", "AGENT"], "");
    assert_eq!(run.snapshots().len(), 1, "{}", run.messages);
}

#[test]
fn budgets_cut_the_graph_and_say_so() {
    let jdk = &jdks()[0];
    let run = run(jdk, &Program::named("ExecutorTask"), &[], "max-objects=3");
    let snapshots = run.snapshots();
    assert!(!snapshots[0].manifest.limits.is_empty(), "{}", run.messages);
}

#[test]
fn a_full_heap_ends_in_a_snapshot_or_one_line() {
    for jdk in jdks() {
        let run = run(&jdk, &Program::named("HeapFull"), &[], "");
        assert_eq!(run.messages.lines().count(), 1, "{}", run.messages);
        assert!(
            run.messages.contains("java.lang.OutOfMemoryError"),
            "{}",
            run.messages
        );
        assert_eq!(run.status(), Some(1));
    }
}

#[test]
fn a_program_that_ends_during_a_capture_waits_a_moment_and_keeps_its_status() {
    for jdk in jdks() {
        let run = run(&jdk, &Program::named("ExitWhileCapturing"), &[], "");
        assert_eq!(run.status(), Some(3), "{}", run.stderr());
        assert_eq!(run.messages.lines().count(), 1, "{}", run.messages);
        let captured = run
            .messages
            .contains("captured java.lang.IllegalStateException");
        let gave_up = run.messages.contains("the program ended while");
        assert!(captured || gave_up, "{}", run.messages);
        assert_eq!(
            run.files().len(),
            usize::from(captured),
            "{:?}",
            run.files()
        );
        run.snapshots();
    }
}

#[test]
fn an_agent_can_be_attached_to_a_running_program() {
    for jdk in jdks() {
        let folder = tempfile::TempDir::new().unwrap();
        let mut child = command(&jdk)
            .arg("-cp")
            .arg(classes().join("classes"))
            .args(["-XX:+EnableDynamicAgentLoading", "Waiting"])
            // jcmd takes the agent's options for its own, so the snapshot goes where the program runs.
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pid = String::new();
        BufReader::new(child.stdout.as_mut().unwrap())
            .read_line(&mut pid)
            .unwrap();
        let attached = Command::new(jdk.home().join("bin/jcmd"))
            .args([pid.trim(), "JVMTI.agent_load"])
            .arg(library())
            .arg(format!("out={}", folder.path().display()))
            .output()
            .unwrap();
        assert!(attached.status.success(), "{attached:?}");
        child.stdin.as_mut().unwrap().write_all(b"\n").unwrap();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            stderr.contains("recrash: captured java.lang.NullPointerException with 1 frame"),
            "{stderr}"
        );
        assert_eq!(output.status.code(), Some(1));
    }
}
