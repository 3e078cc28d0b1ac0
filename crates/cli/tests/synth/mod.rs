//! `recrash synth` with the real binary: from a stack trace alone to a test that JUnit has run.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends at the first surprise"
)]

use crate::common;
mod trouble;
use common::{files, jdk, recrash, snapshots};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A compiled source file whose comments tell which crashes it has.
struct Subject {
    folder: TempDir,
    /// `bank.Account`.
    class: &'static str,
    source: Vec<String>,
}

impl Subject {
    fn bank() -> Subject {
        Subject::compiled("bank.Account")
    }

    fn compiled(class: &'static str) -> Subject {
        let folder = tempfile::tempdir().unwrap();
        let file = source_of(class);
        common::javac(&jdk(), &[], &folder.path().join("classes"), [&file]);
        let text = std::fs::read_to_string(file).unwrap();
        Subject {
            folder,
            class,
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
                // Who calls a lambda does not name it: `each@apply`.
                let (method, called) = match method.split_once('@') {
                    Some((method, called)) => (method, Some(called)),
                    None => (*method, None),
                };
                let line = match depth {
                    // The comment is below the throwing line.
                    0 => number,
                    _ => self.line_of_call(called.unwrap_or(methods[depth - 1]), method),
                };
                let (package, simple) = self.class.rsplit_once('.').unwrap();
                let (class, method) = method.rsplit_once('.').unwrap_or((simple, method));
                let _ = writeln!(
                    text,
                    "\tat {package}.{class}.{method}({simple}.java:{line})"
                );
            }
            traces.push((text, methods.len()));
        }
        traces
    }

    /// The first line of `caller` that calls the method, counted from 1.
    fn line_of_call(&self, method: &str, caller: &str) -> usize {
        let simple = |method: &str| format!(" {}(", method.rsplit('.').next().unwrap());
        let declares = |line: &str| line.contains("private") || line.contains("public");
        let (caller, call) = (simple(caller), format!("{method}("));
        let lines = self.source.iter().enumerate();
        let mut inside = lines.skip_while(|(_, line)| !(declares(line) && line.contains(&caller)));
        let found = inside.find(|(_, line)| line.contains(&call) && !declares(line));
        found.unwrap().0 + 1
    }

    fn synth(&self, trace: &str, options: &[&str]) -> Output {
        let file = self.folder.path().join("trace.txt");
        std::fs::write(&file, trace).unwrap();
        recrash()
            .arg("synth")
            .arg(&file)
            .arg("--out")
            .arg(self.folder.path().join("out"))
            .args(options)
            .env("RECRASH_CACHE", self.cache())
            .current_dir(self.folder.path())
            .output()
            .unwrap()
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    /// Tries each of its traces; all frames have to be reproduced.
    fn reproduced(&self) -> Vec<Reproduced> {
        let simple = self.class.rsplit('.').next().unwrap();
        let mut tests = Vec::new();
        for (trace, frames) in self.traces() {
            let options = ["--classpath", "classes", "--budget", "900", "--json"];
            let output = self.synth(&trace, &options);
            assert_eq!(output.status.code(), Some(0), "{trace}{}", said(&output));
            let test = Reproduced::of(&output);
            assert_eq!(test.level, frames, "{trace}{}", test.source);
            assert!(
                test.source.contains(&format!("class {simple}CrashTest")),
                "{}",
                test.source
            );
            assert!(!test.source.contains("setAccessible"), "{}", test.source);
            tests.push(test);
        }
        tests
    }
}

struct Reproduced {
    level: usize,
    calls: u64,
    source: String,
}

impl Reproduced {
    fn of(output: &Output) -> Reproduced {
        let results: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let result = &results[0];
        assert_eq!(result["verdict"], "reproduced", "{result:#}");
        let test = PathBuf::from(result["test"].as_str().unwrap());
        Reproduced {
            level: result["level"].as_u64().unwrap() as usize,
            calls: result["calls"].as_u64().unwrap(),
            source: std::fs::read_to_string(test).unwrap(),
        }
    }
}

fn source_of(class: &str) -> PathBuf {
    Path::new(REPOSITORY)
        .join("crates/cli/tests/synth/programs")
        .join(class.replace('.', "/"))
        .with_extension("java")
}

fn said(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    String::from_utf8_lossy(out).into_owned() + &String::from_utf8_lossy(err)
}

#[test]
fn every_crash_is_found_again_from_its_trace_alone() {
    let tests = Subject::bank().reproduced();
    assert_eq!(tests.len(), 5);
    assert!(
        tests[0].source.contains("package bank;"),
        "{}",
        tests[0].source
    );
}

#[test]
fn crashes_in_lambdas_are_found_through_whoever_makes_them() {
    let tests = Subject::compiled("bank.Rules").reproduced();
    assert_eq!(tests.len(), 4);
    assert!(
        tests[0].source.contains("Rules.CHECK"),
        "{}",
        tests[0].source
    );
}

/// STAR's figure 2: a loop that does not matter, a branch that does, an interface and an abstract class that nobody
/// implements.
#[test]
fn the_crashes_of_the_motivating_example_are_found() {
    let tests = Subject::compiled("paper.Widget").reproduced();
    assert_eq!(tests.len(), 3);
    for test in &tests {
        assert!(test.calls <= 4, "{}", test.source);
    }
    assert!(
        tests[2].source.contains("// A stand-in for "),
        "{}",
        tests[2].source
    );
}

/// Figures 12 to 14: each with no more calls than the test in the paper.
#[test]
fn the_crashes_of_the_papers_figures_are_found() {
    let ordered = Subject::compiled("paper.Ordered").reproduced();
    assert_eq!(ordered.len(), 1);
    assert!(ordered[0].calls <= 9, "{}", ordered[0].source);
    let published = |jar: &str, trace: &str| {
        let bank = Subject::bank();
        let jar = Path::new(REPOSITORY).join(".deps/subjects").join(jar);
        let jar = jar.display().to_string();
        let output = bank.synth(trace, &["--classpath", &jar, "--budget", "120", "--json"]);
        assert_eq!(output.status.code(), Some(0), "{trace}{}", said(&output));
        Reproduced::of(&output)
    };
    let buffer = published(
        "commons-collections-3.1.jar",
        "java.lang.ArrayIndexOutOfBoundsException: -1\n\tat org.apache.commons.collections.buffer.UnboundedFifoBuffer$1.remove(UnboundedFifoBuffer.java:312)\n",
    );
    assert!(buffer.calls <= 12, "{}", buffer.source);
    let file = published(
        "ant-1.8.1.jar",
        "java.lang.NullPointerException\n\tat java.io.File.createTempFile(File.java:1722)\n\tat org.apache.tools.ant.util.FileUtils.createTempFile(FileUtils.java:888)\n\tat org.apache.tools.ant.taskdefs.TempFile.execute(TempFile.java:158)\n",
    );
    assert_eq!(file.level, 3, "{}", file.source);
    assert!(file.calls <= 8, "{}", file.source);
}

#[test]
fn the_same_seed_gives_the_same_test() {
    let bank = Subject::bank();
    let (trace, _) = bank.traces().swap_remove(0);
    let source = || {
        let options = ["--classpath", "classes", "--threads", "1"];
        let output = bank.synth(&trace, &options);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        std::fs::read_to_string(bank.folder.path().join("out/bank/AccountCrashTest.java")).unwrap()
    };
    assert_eq!(source(), source());
}

/// A word that is in no line of the program is found in code that uses it, or in what was captured.
#[test]
fn what_the_user_gives_is_tried() {
    let vault = Subject::compiled("vault.Vault");
    let folder = vault.folder.path();
    let classes = folder.join("classes");
    common::javac(
        &jdk(),
        &[classes],
        &folder.join("uses"),
        [source_of("vault.Use")],
    );
    let crashed = recrash()
        .args(["run", "--out", "crashes", "--"])
        .arg(jdk().java())
        .args(["-cp", "classes:uses", "vault.Use"])
        .current_dir(folder)
        .output()
        .unwrap();
    let found = snapshots(&folder.join("crashes"));
    assert_eq!(found.len(), 1, "{}", said(&crashed));
    let snapshot = found[0].display().to_string();
    let (trace, _) = vault.traces().swap_remove(0);
    let status = |more: &[&str]| {
        let options = [&["--classpath", "classes", "--budget", "6"], more].concat();
        vault.synth(&trace, &options).status.code()
    };
    assert_eq!(status(&[]), Some(3));
    assert_eq!(status(&["--seeds", "uses"]), Some(0));
    assert_eq!(status(&["--snapshot", &snapshot]), Some(0));
    assert_eq!(status(&["--snapshot", "trace.txt"]), Some(1));
}

#[test]
fn without_a_solver_the_search_goes_on_and_says_so() {
    let bank = Subject::bank();
    let (trace, _) = bank.traces().swap_remove(0);
    let file = bank.folder.path().join("trace.txt");
    std::fs::write(&file, trace).unwrap();
    let output = recrash()
        .args(["synth", "trace.txt", "--classpath", "classes"])
        .env("RECRASH_Z3", "/nowhere/z3")
        .env("RECRASH_CACHE", bank.cache())
        .current_dir(bank.folder.path())
        .output()
        .unwrap();
    let text = said(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(
        text.contains("the solver /nowhere/z3 could not be started"),
        "{text}"
    );
    assert!(text.contains("reproduced: "), "{text}");
}

/// A jar whose signature covers the package: the test lies elsewhere, and the probes do not break the signature.
#[test]
fn the_classes_of_a_signed_jar_are_called_from_outside() {
    let bank = Subject::bank();
    let jdk = jdk();
    let run = |tool: &str, arguments: &[&str]| {
        let done = Command::new(jdk.home.join("bin").join(tool))
            .args(arguments)
            .current_dir(bank.folder.path())
            .output()
            .unwrap();
        assert!(done.status.success(), "{}", said(&done));
    };
    let keys = ["-keystore", "keys", "-storepass", "secret"];
    let mut made = vec![
        "-genkeypair",
        "-alias",
        "a",
        "-dname",
        "CN=a",
        "-keyalg",
        "RSA",
    ];
    made.extend(keys);
    run("keytool", &made);
    run("jar", &["-cf", "bank.jar", "-C", "classes", "."]);
    run("jarsigner", &[&keys[..], &["bank.jar", "a"]].concat());
    let kind = bank.traces().swap_remove(3).0;
    let output = bank.synth(&kind, &["--classpath", "bank.jar", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{kind}{}", said(&output));
    let test = Reproduced::of(&output);
    assert!(test.source.contains("package crash;"), "{}", test.source);
    assert!(
        test.source.contains("import bank.Account;"),
        "{}",
        test.source
    );
}

#[test]
fn fields_that_source_sees_are_assigned() {
    let tests = Subject::compiled("form.Form").reproduced();
    for line in [
        "form.number = 777123456789L;",
        "form.title = \"draft\";",
        "Form.pages = 4120;",
    ] {
        assert!(tests[0].source.contains(line), "{}", tests[0].source);
    }
}

/// Summaries of methods are kept; a file that is torn costs one line.
#[test]
fn a_torn_cache_is_harmless() {
    // Only a plan leads to it.
    let form = Subject::compiled("form.Form");
    let (trace, _) = form.traces().swap_remove(0);
    let run = || {
        let output = form.synth(&trace, &["--classpath", "classes"]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        said(&output)
    };
    let lines_about = |text: &str| {
        text.lines()
            .filter(|line| line.contains("summaries-"))
            .count()
    };
    assert_eq!(lines_about(&run()), 0);
    let kept = files(&form.cache());
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(lines_about(&run()), 0);
    let whole = std::fs::read(&kept[0]).unwrap();
    std::fs::write(&kept[0], &whole[..whole.len() / 2]).unwrap();
    let text = run();
    assert_eq!(lines_about(&text), 1, "{text}");
    assert!(text.contains("is damaged; it is thrown away"), "{text}");
    assert_eq!(lines_about(&run()), 0);
    assert_eq!(files(&form.cache()), kept);
}

/// A field that nothing sets, a method that nothing calls, a class that nobody can make.
#[test]
fn reflection_is_used_only_if_allowed_and_marked() {
    let safe = Subject::compiled("safe.Safe");
    let traces = safe.traces();
    let expected = [
        (
            "// By reflection: no call sets this field.",
            "set(safe, \"mode\", (byte) 73);",
        ),
        (
            "// By reflection: no call sets this field.",
            "setIn(Safe.class, null, \"turns\", 4120);",
        ),
        (
            "// By reflection: it cannot be called from here.",
            "call(Safe.class, \"turn(String, int[])\", safe, \"\", new int[0]);",
        ),
        (
            "// By reflection: it cannot be called from here.",
            "construct(Safe.Room.class, \"String\", (Object) null);",
        ),
    ];
    assert_eq!(traces.len(), expected.len());
    for ((trace, _), (mark, statement)) in traces.iter().zip(expected) {
        let options = ["--classpath", "classes", "--budget", "3"];
        let output = safe.synth(trace, &options);
        assert_eq!(output.status.code(), Some(3), "{trace}{}", said(&output));
        let options = ["--classpath", "classes", "--json", "--allow-reflection"];
        let output = safe.synth(trace, &options);
        assert_eq!(output.status.code(), Some(0), "{trace}{}", said(&output));
        assert!(
            said(&output).contains("the test uses reflection"),
            "{}",
            said(&output)
        );
        let source = Reproduced::of(&output).source;
        let lines: Vec<&str> = source.lines().map(str::trim).collect();
        let at = lines.iter().position(|line| *line == mark);
        let marked = at.and_then(|at| lines.get(at + 1));
        assert!(
            marked.is_some_and(|marked| marked.ends_with(statement)),
            "{source}"
        );
        assert_eq!(source.matches("private static ").count(), 1, "{source}");
    }
}
