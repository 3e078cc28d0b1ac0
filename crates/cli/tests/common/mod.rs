//! What every test of the binary starts from.

#![allow(
    dead_code,
    reason = "each test target includes this file, and none needs all of it"
)]

use recrash_jvm::{ClassPath, Compilation, Compilers, Jdk, find_jdks};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::Duration;

/// The binary, told nothing by the environment of whoever runs the tests.
pub fn recrash() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recrash"));
    for variable in ["JAVA_TOOL_OPTIONS", "RECRASH_OPTIONS", "GITHUB_WORKSPACE"] {
        command.env_remove(variable);
    }
    command.env("NO_COLOR", "1").env("COLUMNS", "100");
    command
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

pub fn jdks() -> Vec<Jdk> {
    let mut jdks = find_jdks();
    jdks.retain(|jdk| jdk.javac.is_some() && jdk.version.feature >= 17);
    assert!(!jdks.is_empty(), "a JDK 17 or newer with javac");
    jdks
}

pub fn jdk() -> Jdk {
    jdks().swap_remove(0)
}

/// The compilers of all tests: they are warm after the first.
static COMPILERS: LazyLock<Compilers> =
    LazyLock::new(|| Compilers::new(recrash_bundle::unpack().unwrap().worker));

/// Compiles Java sources, with debug information, into `classes`.
pub fn javac<P: Into<PathBuf>>(
    jdk: &Jdk,
    class_path: &[PathBuf],
    classes: &Path,
    sources: impl IntoIterator<Item = P>,
) {
    javac_with(jdk, &[], class_path, classes, sources);
}

/// As [`javac`], with further options.
pub fn javac_with<P: Into<PathBuf>>(
    jdk: &Jdk,
    options: &[&str],
    class_path: &[PathBuf],
    classes: &Path,
    sources: impl IntoIterator<Item = P>,
) {
    let sources: Vec<PathBuf> = sources.into_iter().map(Into::into).collect();
    let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
    let compilation = Compilation {
        sources: &sources,
        class_path: &ClassPath::new(class_path.iter().cloned(), Path::new(".")),
        output: classes,
        options: &options,
        limit: Duration::from_secs(300),
    };
    if let Err(error) = COMPILERS.compile(jdk, &compilation) {
        panic!("{error}");
    }
}

/// As `recrash api-jar` says.
pub fn api_jar() -> String {
    let ran = recrash().arg("api-jar").output().unwrap();
    assert!(ran.status.success(), "{}", text(&ran.stderr));
    text(&ran.stdout).trim_end().to_owned()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder with everything below it.
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

/// The snapshots in a folder, which need not exist.
pub fn snapshots(folder: &Path) -> Vec<PathBuf> {
    let mut found = files(folder);
    found.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "recrash")
    });
    found
}

/// Everything in a folder, hidden files included.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}
