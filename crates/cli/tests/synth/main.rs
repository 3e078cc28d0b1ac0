//! `recrash synth` with the real binary: from a stack trace alone to a test that JUnit has run.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends at the first surprise"
)]

use recrash_jvm::{Jdk, find_jdks};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

const SOURCE: &str = "crates/cli/tests/synth/programs/bank/Account.java";

struct Bank {
    folder: TempDir,
    source: Vec<String>,
}

impl Bank {
    fn compiled() -> Bank {
        let folder = tempfile::tempdir().unwrap();
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(SOURCE);
        let compiled = Command::new(jdk().javac().unwrap())
            .args(["-g", "-d"])
            .arg(folder.path().join("classes"))
            .arg(&file)
            .status()
            .unwrap();
        assert!(compiled.success());
        let text = std::fs::read_to_string(file).unwrap();
        Bank {
            folder,
            source: text.lines().map(str::to_owned).collect(),
        }
    }

    /// The text of a trace: what the source says of it, with the lines of the methods that call each other.
    fn traces(&self) -> Vec<(String, usize)> {
        let mut traces = Vec::new();
        for (number, line) in self.source.iter().enumerate() {
            let Some(trace) = line.trim().strip_prefix("// trace: ") else {
                continue;
            };
            let (head, methods) = trace.split_once(" | ").unwrap();
            let mut text = format!("{head}\n");
            let methods: Vec<&str> = methods.split(' ').collect();
            for (depth, method) in methods.iter().enumerate() {
                let line = match depth {
                    // The comment is below the throwing line.
                    0 => number,
                    _ => self.line_of_call(methods[depth - 1]),
                };
                let (class, method) = method.rsplit_once('.').unwrap_or(("Account", method));
                let _ = writeln!(text, "\tat bank.{class}.{method}(Account.java:{line})");
            }
            traces.push((text, methods.len()));
        }
        traces
    }

    /// The first line that calls the method, counted from 1.
    fn line_of_call(&self, method: &str) -> usize {
        let call = format!("{method}(");
        let declares = |line: &str| line.contains("private") || line.contains("public");
        let found = self
            .source
            .iter()
            .position(|line| line.contains(&call) && !declares(line));
        found.unwrap() + 1
    }

    fn synth(&self, trace: &str, options: &[&str]) -> Output {
        let file = self.folder.path().join("trace.txt");
        std::fs::write(&file, trace).unwrap();
        Command::new(env!("CARGO_BIN_EXE_recrash"))
            .arg("synth")
            .arg(&file)
            .arg("--out")
            .arg(self.folder.path().join("out"))
            .args(options)
            .env("NO_COLOR", "1")
            .current_dir(self.folder.path())
            .output()
            .unwrap()
    }
}

fn jdk() -> Jdk {
    find_jdks()
        .into_iter()
        .find(|jdk| jdk.javac.is_some() && jdk.version.feature >= 17)
        .unwrap()
}

fn said(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    String::from_utf8_lossy(out).into_owned() + &String::from_utf8_lossy(err)
}

#[test]
fn every_crash_is_found_again_from_its_trace_alone() {
    let bank = Bank::compiled();
    let traces = bank.traces();
    assert_eq!(traces.len(), 4);
    for (trace, frames) in traces {
        let options = ["--classpath", "classes", "--budget", "60", "--json"];
        let output = bank.synth(&trace, &options);
        assert_eq!(output.status.code(), Some(0), "{trace}{}", said(&output));
        let results: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let result = &results[0];
        assert_eq!(result["verdict"], "reproduced", "{trace}{result:#}");
        assert_eq!(result["level"], frames, "{trace}{result:#}");
        let test = PathBuf::from(result["test"].as_str().unwrap());
        let source = std::fs::read_to_string(test).unwrap();
        assert!(source.contains("package bank;"), "{source}");
        assert!(source.contains("class AccountCrashTest"), "{source}");
        assert!(!source.contains("setAccessible"), "{source}");
    }
}

#[test]
fn the_same_seed_gives_the_same_test() {
    let bank = Bank::compiled();
    let (trace, _) = bank.traces().swap_remove(0);
    let source = || {
        let output = bank.synth(&trace, &["--classpath", "classes"]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        std::fs::read_to_string(bank.folder.path().join("out/bank/AccountCrashTest.java")).unwrap()
    };
    assert_eq!(source(), source());
}

#[test]
fn a_class_path_that_does_not_fit_is_told_before_anything_is_searched() {
    let bank = Bank::compiled();
    let refused = |trace: &str, words: &str| {
        let output = bank.synth(trace, &["--classpath", "classes"]);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(3), "{text}");
        assert!(text.contains("the class path does not fit"), "{text}");
        assert!(text.contains(words), "{text}");
        assert!(text.contains("0 programs"), "{text}");
    };
    let head = "java.lang.IllegalStateException\n";
    refused(
        &format!("{head}\tat bank.Account.kind(Account.java:7)\n"),
        "no code on that line, but on ",
    );
    refused(
        &format!("{head}\tat bank.Account.close(Account.java:7)\n"),
        "the class has no such method",
    );
    refused(
        &format!("{head}\tat bank.Branch.open(Branch.java:7)\n"),
        "the class is not on the class path",
    );
}

#[test]
fn bad_input_is_one_line() {
    let bank = Bank::compiled();
    let refused = |trace: &str, class_path: &str, words: &str| {
        let output = bank.synth(trace, &["--classpath", class_path]);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(
            text.starts_with("recrash: ") && text.contains(words),
            "{text}"
        );
    };
    let (trace, _) = bank.traces().swap_remove(0);
    refused("it does not work\n", "classes", "holds no stack trace");
    let python = "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n";
    refused(python, "classes", "a stack trace of Python");
    refused(&trace, "nowhere.jar", "nowhere.jar does not exist");
    refused(&trace, "trace.txt", "trace.txt");
}
