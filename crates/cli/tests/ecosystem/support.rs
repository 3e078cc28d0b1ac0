//! The binary, a program that crashes, and its snapshot.

use recrash_jvm::{Jdk, find_jdks};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use tempfile::TempDir;

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

pub fn dependency(name: &str) -> PathBuf {
    let path = root().join(".deps").join(name);
    assert!(
        path.exists(),
        "{} is missing; ./x test fetches it",
        path.display()
    );
    path
}

pub fn recrash() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recrash"));
    for variable in ["JAVA_TOOL_OPTIONS", "RECRASH_OPTIONS", "GITHUB_WORKSPACE"] {
        command.env_remove(variable);
    }
    command.env("NO_COLOR", "1").env("COLUMNS", "100");
    command
}

pub fn jdks() -> Vec<Jdk> {
    let mut jdks = find_jdks();
    jdks.retain(|jdk| jdk.javac.is_some() && jdk.version.feature >= 17);
    // What the oldest one has compiled runs on all of them.
    jdks.sort_by_key(|jdk| jdk.version.feature);
    assert!(!jdks.is_empty(), "a JDK 17 or newer with javac");
    jdks
}

pub fn jdk() -> Jdk {
    jdks().swap_remove(0)
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The output of a command that must succeed.
pub fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}\n{}{}",
        stdout(&output),
        stderr(&output)
    );
    stdout(&output)
}

/// `javac` into `classes`.
pub fn compile<S: AsRef<OsStr>>(
    classes: &Path,
    class_path: &[PathBuf],
    sources: impl IntoIterator<Item = S>,
) {
    let mut javac = Command::new(jdk().javac().unwrap());
    javac.args(["-g", "-encoding", "UTF-8", "-d"]).arg(classes);
    if !class_path.is_empty() {
        javac.arg("-cp").arg(joined(class_path));
    }
    succeed(javac.args(sources));
}

pub fn joined(class_path: &[PathBuf]) -> String {
    let parts = class_path.iter().map(|path| path.display().to_string());
    parts.collect::<Vec<_>>().join(":")
}

pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Where the program's sources lie.
pub fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ecosystem/programs")
}

/// `shop.Till`, compiled, and a snapshot of its crash.
pub struct Crash {
    folder: TempDir,
    pub snapshot: PathBuf,
}

impl Crash {
    pub fn classes(&self) -> PathBuf {
        self.folder.path().join("classes")
    }

    /// The snapshot in a folder of the test's own.
    pub fn copy(&self, folder: &Path) -> PathBuf {
        let path = folder.join("crash.recrash");
        std::fs::copy(&self.snapshot, &path).unwrap();
        path
    }
}

pub fn crash() -> &'static Crash {
    static CRASH: OnceLock<Crash> = OnceLock::new();
    CRASH.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let classes = folder.path().join("classes");
        compile(&classes, &[], [sources().join("shop/Till.java")]);
        let out = folder.path().join("out");
        let ran = recrash()
            .args(["run", "--no-tests", "--out"])
            .arg(&out)
            .arg("--")
            .arg(jdk().java())
            .arg("-cp")
            .arg(&classes)
            .arg("shop.Till")
            .output()
            .unwrap();
        let snapshots = snapshots(&out);
        assert_eq!(snapshots.len(), 1, "{}", stderr(&ran));
        Crash {
            folder,
            snapshot: snapshots[0].clone(),
        }
    })
}

/// The snapshots in a folder.
pub fn snapshots(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|e| e == "recrash"));
    found.sort();
    found
}
