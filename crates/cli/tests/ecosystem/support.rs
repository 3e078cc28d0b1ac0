//! The binary, a program that crashes, and its snapshot.

use crate::common;
pub use crate::common::{copy, recrash, root, snapshots};
use recrash_jvm::Jdk;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use tempfile::TempDir;

pub fn dependency(name: &str) -> PathBuf {
    let path = root().join(".deps").join(name);
    assert!(
        path.exists(),
        "{} is missing; ./x test fetches it",
        path.display()
    );
    path
}

pub fn jdks() -> Vec<Jdk> {
    let mut jdks = common::jdks();
    // What the oldest one has compiled runs on all of them.
    jdks.sort_by_key(|jdk| jdk.version.feature);
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
pub fn compile<P: Into<PathBuf>>(
    classes: &Path,
    class_path: &[PathBuf],
    sources: impl IntoIterator<Item = P>,
) {
    common::javac(&jdk(), class_path, classes, sources);
}

pub fn joined(class_path: &[PathBuf]) -> String {
    let parts = class_path.iter().map(|path| path.display().to_string());
    parts.collect::<Vec<_>>().join(":")
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
