//! The program under `recrash run` behaves as it does alone.

use crate::trouble::support::{assert_one_line, compile, crash, jdk, recrash, stderr, stdout};
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

fn under_recrash(script: &str) -> std::process::Output {
    let folder = tempfile::tempdir().unwrap();
    recrash()
        .args(["run", "--out"])
        .arg(folder.path())
        .args(["--", "sh", "-c", script])
        .output()
        .unwrap()
}

#[test]
fn streams_and_exit_status_pass_through() {
    let output = under_recrash("echo out; echo err >&2; exit 42");
    assert_eq!(output.status.code(), Some(42));
    assert_eq!(stdout(&output), "out\n");
    assert!(stderr(&output).starts_with("err\n"), "{}", stderr(&output));
}

#[test]
fn success_is_silent() {
    let output = under_recrash("exit 0");
    assert_eq!(
        (output.status.code(), stderr(&output)),
        (Some(0), String::new())
    );
}

#[test]
fn standard_input_reaches_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = recrash()
        .args(["run", "--out"])
        .arg(folder.path())
        .args(["--", "cat"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"typed").unwrap();
    assert_eq!(stdout(&child.wait_with_output().unwrap()), "typed");
}

#[test]
fn a_program_ended_by_a_signal_is_told_as_such() {
    let output = under_recrash("kill -9 $$");
    assert_eq!(output.status.signal(), Some(9));
}

#[test]
fn a_signal_sent_to_recrash_reaches_the_program_once() {
    let folder = tempfile::tempdir().unwrap();
    let script = "trap 'echo term; exit 7' TERM; echo ready; while :; do sleep 0.05; done";
    let mut child = recrash()
        .args(["run", "--out"])
        .arg(folder.path())
        .args(["--", "sh", "-c", script])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "ready");
    assert!(
        // The shell's own kill: the program of that name is not everywhere.
        Command::new("sh")
            .args(["-c", &format!("kill -TERM {}", child.id())])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(lines.map(Result::unwrap).collect::<Vec<_>>(), ["term"]);
    assert_eq!(child.wait().unwrap().code(), Some(7));
}

#[test]
fn a_signal_that_was_ignored_stays_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let recrash = env!("CARGO_BIN_EXE_recrash");
    let script = format!(
        "trap '' HUP; {recrash} run --out {} -- grep SigIgn /proc/self/status",
        folder.path().display()
    );
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    let mask = u64::from_str_radix(
        stdout(&output).trim().trim_start_matches("SigIgn:").trim(),
        16,
    )
    .unwrap();
    assert_eq!(mask & 1, 1, "{mask:x}");
}

#[test]
fn an_existing_java_tool_options_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let output = recrash()
        .env("JAVA_TOOL_OPTIONS", "-Dmine=1")
        .args(["run", "--out"])
        .arg(folder.path())
        .args(["--", "sh", "-c", "printenv JAVA_TOOL_OPTIONS"])
        .output()
        .unwrap();
    assert!(
        stdout(&output).starts_with("-Dmine=1 -agentpath:"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn a_command_that_does_not_exist_is_127_and_one_that_cannot_run_126() {
    let folder = tempfile::tempdir().unwrap();
    let command = |name: &str| {
        recrash()
            .args(["run", "--out"])
            .arg(folder.path())
            .args(["--", name])
            .output()
            .unwrap()
    };
    let text = assert_one_line(&command("no-such-command"), 127);
    assert_eq!(text, "recrash: no-such-command: command not found\n");
    assert_one_line(&command("/etc/passwd"), 126);
}

#[test]
fn a_crash_through_a_shell_script_becomes_tests_and_keeps_its_status() {
    let folder = tempfile::tempdir().unwrap();
    let script = format!(
        "{} -cp {} Crashing",
        jdk().java().display(),
        crash().classes().display()
    );
    let output = recrash()
        .args(["run", "--label", "1.4 rc,2", "--out"])
        .arg(folder.path())
        .args(["--", "sh", "-c", &script])
        .output()
        .unwrap();
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert_eq!(stdout(&output), "to standard output\n");
    assert!(text.contains("2 of 2 frames reproduce the crash"), "{text}");
    let tests = crate::trouble::support::files(folder.path())
        .into_iter()
        .find(|path| path.is_dir())
        .unwrap();
    let source = std::fs::read_to_string(tests.join("CrashingCrashTest.java")).unwrap();
    assert!(
        source.contains("version 1.4 rc,2") && source.contains("crashing.at(7);"),
        "{source}"
    );
}

#[test]
fn exceptions_that_were_caught_without_a_word_are_named_with_their_option() {
    let folder = tempfile::tempdir().unwrap();
    let source = r#"
        public class Quiet {
            static int length(String text) {
                int length = text.length();
                return length + text.indexOf('x');
            }
            public static void main(String[] args) {
                for (int i = 0; i < 3; i++) {
                    try {
                        System.out.println(length(i < 2 ? null : "four"));
                    } catch (NullPointerException e) {
                        System.out.println("none");
                    }
                }
            }
        }"#;
    compile(folder.path(), "Quiet", source);
    let run = |more: &[&str]| {
        let mut command = recrash();
        command.args(["run", "--no-tests", "--out"]);
        command.arg(folder.path().join("out")).args(more);
        command.arg("--").arg(jdk().java()).arg("-cp");
        command.arg(folder.path()).arg("Quiet").output().unwrap()
    };
    let silent = run(&[]);
    assert_eq!(stdout(&silent), "none\nnone\n3\n");
    assert_eq!(
        stderr(&silent),
        "recrash: 2 exceptions of the program were caught without a word; \
         --on java.lang.NullPointerException (in Quiet.length) gets them\n"
    );
    let named = stderr(&run(&["--on", "java.lang.NullPointerException"]));
    assert!(
        named.starts_with("recrash: captured java.lang.NullPointerException, named by --on,"),
        "{named}"
    );
    assert!(!named.contains("without a word"), "{named}");
}

#[test]
fn a_program_that_is_java_itself_prints_nothing_of_the_jvms() {
    let folder = tempfile::tempdir().unwrap();
    let plain = Command::new(jdk().java())
        .arg("-cp")
        .arg(crash().classes())
        .arg("Crashing")
        .output()
        .unwrap();
    let output = recrash()
        .args(["run", "--no-tests", "--out"])
        .arg(folder.path())
        .arg("--")
        .arg(jdk().java())
        .arg("-cp")
        .arg(crash().classes())
        .arg("Crashing")
        .output()
        .unwrap();
    let theirs: Vec<String> = stderr(&output)
        .lines()
        .filter(|line| !line.starts_with("recrash: "))
        .map(String::from)
        .collect();
    assert_eq!(theirs.join("\n") + "\n", stderr(&plain));
    assert_eq!(stdout(&output), stdout(&plain));
    assert_eq!(output.status.code(), plain.status.code());
}
