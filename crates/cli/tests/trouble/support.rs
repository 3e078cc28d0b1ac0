//! The binary, a program that crashes, and its snapshot.

use crate::common::javac;
pub use crate::common::{files, jdk, recrash, snapshots};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;
use tempfile::TempDir;

/// Runs the binary with these arguments.
pub fn run<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Output {
    recrash().args(arguments).output().unwrap()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The output is one sentence of recrash's own and nothing else.
pub fn assert_one_line(output: &Output, status: i32) -> String {
    let text = stderr(output);
    assert_eq!(output.status.code(), Some(status), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("recrash: "), "{text}");
    assert!(
        !text.contains("panicked") && !text.contains("internal error"),
        "{text}"
    );
    assert_eq!(stdout(output), "");
    text
}

/// `javac` into `folder`.
pub fn compile(folder: &Path, name: &str, source: &str) {
    let file = folder.join(format!("{name}.java"));
    std::fs::write(&file, source).unwrap();
    javac(&jdk(), &[], folder, [file]);
}

pub const CRASHING: &str = "
public class Crashing {
    public int[] numbers = {1, 2, 3};

    public int at(int index) {
        int[] copy = numbers.clone();
        return copy[index] + copy.length;
    }

    public static void main(String[] args) {
        System.out.println(\"to standard output\");
        System.err.println(\"to standard error\");
        Crashing crashing = new Crashing();
        System.out.println(crashing.at(1) + crashing.at(7));
    }
}";

/// A program that crashes, compiled once, and a snapshot of its crash.
pub struct Crash {
    pub folder: TempDir,
    pub snapshot: PathBuf,
}

impl Crash {
    pub fn classes(&self) -> &Path {
        self.folder.path()
    }

    /// The snapshot in a folder of the test's own.
    pub fn copy(&self) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("crash.recrash");
        std::fs::copy(&self.snapshot, &path).unwrap();
        (folder, path)
    }
}

pub fn crash() -> &'static Crash {
    static CRASH: OnceLock<Crash> = OnceLock::new();
    CRASH.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        compile(folder.path(), "Crashing", CRASHING);
        let out = folder.path().join("out");
        let output = recrash()
            .args(["run", "--no-tests", "--out"])
            .arg(&out)
            .arg("--")
            .arg(jdk().java())
            .arg("-cp")
            .arg(folder.path())
            .arg("Crashing")
            .output()
            .unwrap();
        let snapshots = snapshots(&out);
        assert_eq!(snapshots.len(), 1, "{}", stderr(&output));
        Crash {
            folder,
            snapshot: snapshots[0].clone(),
        }
    })
}
